import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { readJson, writeJson } from '../../api/client'
import { conflictingVersion, useFormSave } from '../../api/forms'
import type { SaveSiteSettings, SiteSettings, SiteSettingsConflict } from '../../api/types'
import { usedAccent } from './accent'

/** The site settings, for the portal. */
export const siteSettingsQuery = () =>
  queryOptions({
    queryKey: ['site-settings'],
    queryFn: ({ signal }) => readJson<SiteSettings>('/api/site-settings', { signal }),
    // Offline it fails at once, instead of waiting for a connection.
    networkMode: 'always',
  })

/** Changes the site settings. */
export function useSaveSettings() {
  const queryClient = useQueryClient()
  return useFormSave({
    mutationFn: (settings: SaveSiteSettings) =>
      writeJson<SiteSettings>('PUT', '/api/site-settings', settings),
    onSuccess: (saved) => {
      if (!saved) return
      queryClient.setQueryData(siteSettingsQuery().queryKey, saved)
      applyAccents(saved.values)
    },
  })
}

/** The settings that another admin has saved meanwhile, if that is why a change was rejected. */
export function conflictingSettings(cause: unknown): SiteSettings | undefined {
  return conflictingVersion(cause) as SiteSettingsConflict['current'] | undefined
}

/** The style sheet of the last saved colors: that in the page is as old as the page. */
let sheet: CSSStyleSheet | undefined

function applyAccents({ accentLight, accentDark }: SiteSettings['values']) {
  if (!('adoptedStyleSheets' in document)) return
  const light = usedAccent(accentLight, 'light')
  const dark = usedAccent(accentDark, 'dark')
  const darkTokens = `{ --accent: ${dark.color}; --on-accent: ${dark.text}; --primary: ${dark.color};
    --primary-hover: ${dark.hover}; --on-primary: ${dark.text}; --focus: ${dark.color}; }`
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets.push(sheet)
  }
  sheet.replaceSync(`:root { --accent: ${light.color}; --on-accent: ${light.text}; }
    @media (prefers-color-scheme: dark) { :root:not([data-theme='light']) ${darkTokens} }
    :root[data-theme='dark'] ${darkTokens}`)
}
