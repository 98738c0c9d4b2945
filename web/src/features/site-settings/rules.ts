import { limits, messages } from '../../api/generated/validation'
import type { SaveSiteSettings, Site, SiteSettings } from '../../api/types'
import { isEmail, isImageUrl, isWebUrl, lengthOf } from '../../lib/text'
import { accentProblem } from './accent'

/** The settings as the server sends them. */
export type SiteValues = SiteSettings['values']

/** A row of a list of links. */
export interface LinkRow {
  /** Identifies the row while its position changes. */
  key: number
  label: string
  url: string
}

/** The form's values: lists of texts have one line each, the end of the notice is local time. */
export type SettingsValues = Record<TextField, string> & Record<LinksField, readonly LinkRow[]>

/** The fields with links, in the order of the page. */
export const linksFields = ['whoWeAre', 'investments', 'discover', 'exploreMore', 'social'] as const
export type LinksField = (typeof linksFields)[number]

const textFields = [
  'name',
  'logoUrl',
  'accentLight',
  'accentDark',
  'addressLines',
  'phone',
  'email',
  'learnMoreUrl',
  'scheduleCallUrl',
  'investorResourcesUrl',
  'disclaimer',
  'subscribeScriptUrl',
  'subscribeContainerId',
  'subscribeAttributes',
  'subscribeAllowedHosts',
  'noticeText',
  'noticeLinkLabel',
  'noticeLinkUrl',
  'noticeEndsAt',
] as const
export type TextField = (typeof textFields)[number]
export type SettingsField = TextField | LinksField

/** All fields. */
export const settingsFields: readonly SettingsField[] = [...textFields, ...linksFields]

/** The names of the fields on the screen. */
export const fieldLabels: Record<SettingsField, string> = {
  name: 'Company name',
  logoUrl: 'Logo',
  accentLight: 'Accent color, light theme',
  accentDark: 'Accent color, dark theme',
  addressLines: 'Address',
  phone: 'Phone',
  email: 'Email',
  learnMoreUrl: 'Learn More',
  scheduleCallUrl: 'Schedule a Call',
  investorResourcesUrl: 'Investor Resources',
  disclaimer: 'Disclaimer',
  subscribeScriptUrl: 'Script URL',
  subscribeContainerId: 'Element id',
  subscribeAttributes: 'Attributes',
  subscribeAllowedHosts: 'Other hosts',
  noticeText: 'Notice text',
  noticeLinkLabel: 'Link text',
  noticeLinkUrl: 'Link URL',
  noticeEndsAt: 'Show until',
  whoWeAre: 'Who We Are',
  investments: 'Investments',
  discover: 'Discover',
  exploreMore: 'Explore More',
  social: 'Social media',
}

let lastKey = 0

/** A row for the form. */
export function linkRow(label = '', url = ''): LinkRow {
  lastKey += 1
  return { key: lastKey, label, url }
}

/** Stored values for the form: the keys of their rows could be those of others by now. */
export function withNewKeys(values: SettingsValues): SettingsValues {
  const rows = linksFields.map((field): [LinksField, readonly LinkRow[]] => [
    field,
    values[field].map(({ label, url }) => linkRow(label, url)),
  ])
  return { ...values, ...(Object.fromEntries(rows) as Pick<SettingsValues, LinksField>) }
}

/** The form for settings. */
export function formValuesOf(values: SiteValues): SettingsValues {
  const rows = (links: SiteValues['social']) => links.map(({ label, url }) => linkRow(label, url))
  return {
    ...values,
    addressLines: values.addressLines.join('\n'),
    subscribeAttributes: Object.entries(values.subscribeAttributes)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    subscribeAllowedHosts: values.subscribeAllowedHosts.join('\n'),
    noticeEndsAt: localTime(values.noticeEndsAt),
    whoWeAre: rows(values.whoWeAre),
    investments: rows(values.investments),
    discover: rows(values.discover),
    exploreMore: rows(values.exploreMore),
    social: rows(values.social),
  }
}

/** An instant as an input of local time has it, `2026-03-10T09:00`; blank without one. */
function localTime(instant: string): string {
  if (instant === '') return ''
  const at = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant of local time; what is no time is sent as it is, for its validation. */
function instantOf(local: string): string {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? local : at.toISOString()
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The request body, without the fields that the configuration has precedence over. */
export function settingsToSave(
  values: SettingsValues,
  revision: number,
  locked: SiteSettings['locked'] = {},
): SaveSiteSettings {
  const links = (rows: readonly LinkRow[]) => rows.map(({ label, url }) => ({ label, url }))
  const body: SaveSiteSettings = {
    ...values,
    addressLines: linesOf(values.addressLines),
    subscribeAttributes: Object.fromEntries(
      linesOf(values.subscribeAttributes).map((line) => {
        const [name = '', ...rest] = line.split('=')
        return [name.trim(), rest.join('=').trim()]
      }),
    ),
    subscribeAllowedHosts: linesOf(values.subscribeAllowedHosts),
    noticeEndsAt: instantOf(values.noticeEndsAt.trim()),
    whoWeAre: links(values.whoWeAre),
    investments: links(values.investments),
    discover: links(values.discover),
    exploreMore: links(values.exploreMore),
    social: links(values.social),
    revision,
  }
  const isSent = ([field]: [string, unknown]) => !(field in locked)
  return Object.fromEntries(Object.entries(body).filter(isSent))
}

const oneLine = (text: string | null | undefined) =>
  (text ?? '').split(/\s+/u).filter(Boolean).join(' ')
const trimmed = (text: string | null | undefined) => (text ?? '').trim()
const isHttp = (url: string) => /^http:/i.test(url)
/** A semicolon or a quote could end a directive of the content security policy. */
const isPolicySource = (url: string) => isWebUrl(url) && !/[;'"]/.test(url)

/** Messages by field; those of links by row, such as `social.0.url`. */
export type SettingsErrors = Partial<Record<string, string>>

/** Validates a request body as the server does. A setting that is missing gets its default. */
export function checkSettings(input: SaveSiteSettings): SettingsErrors {
  const errors: SettingsErrors = {}
  const add = (field: string, message: string | false | undefined) => {
    if (message) errors[field] ??= message
  }
  const text = (field: TextField, value: string, max: number, tooLong: string) => {
    add(field, lengthOf(value) > max && tooLong)
  }
  const checkUrl = (field: string, value: string | null | undefined) => {
    const url = trimmed(value)
    if (lengthOf(url) > limits.url) add(field, messages.urlTooLong)
    else add(field, url !== '' && !isWebUrl(url) && messages.urlInvalid)
    return url
  }

  if (input.name != null) {
    const name = oneLine(input.name)
    add('name', name === '' && messages.companyNameRequired)
    text('name', name, limits.name, messages.companyNameTooLong)
  }
  const logo = trimmed(input.logoUrl)
  if (lengthOf(logo) > limits.url) add('logoUrl', messages.urlTooLong)
  else if (logo !== '' && !isImageUrl(logo)) add('logoUrl', messages.urlInvalid)
  else add('logoUrl', isHttp(logo) && messages.imageNotHttps)
  add('accentLight', accentProblem(input.accentLight ?? '', 'light'))
  add('accentDark', accentProblem(input.accentDark ?? '', 'dark'))
  const lines = (input.addressLines ?? []).map(oneLine).filter(Boolean)
  for (const line of lines) text('addressLines', line, limits.name, messages.addressTooLong)
  add('addressLines', lines.length > limits.addressLines && messages.addressTooMany)
  text('phone', oneLine(input.phone), limits.phone, messages.phoneTooLong)
  const email = oneLine(input.email)
  text('email', email, limits.email, messages.emailTooLong)
  add('email', email !== '' && !isEmail(email) && messages.emailInvalid)
  for (const field of linksFields) checkLinks(field, input[field] ?? [], add, checkUrl)
  if (input.learnMoreUrl != null) {
    add(
      'learnMoreUrl',
      checkUrl('learnMoreUrl', input.learnMoreUrl) === '' && messages.learnMoreRequired,
    )
  }
  checkUrl('scheduleCallUrl', input.scheduleCallUrl)
  checkUrl('investorResourcesUrl', input.investorResourcesUrl)
  text('disclaimer', oneLine(input.disclaimer), limits.disclaimer, messages.disclaimerTooLong)
  checkNewsletterForm(input, add)
  checkNotice(input, add, checkUrl)
  return errors
}

type Add = (field: string, message: string | false | undefined) => void
type CheckUrl = (field: string, value: string | null | undefined) => string

function checkLinks(
  field: LinksField,
  rows: NonNullable<SaveSiteSettings[LinksField]>,
  add: Add,
  checkUrl: CheckUrl,
) {
  let count = 0
  rows.forEach((row, index) => {
    const label = oneLine(row.label)
    if (label === '' && trimmed(row.url) === '') return
    const url = checkUrl(`${field}.${index}.url`, row.url)
    add(`${field}.${index}.url`, url === '' && messages.linkUrlRequired)
    add(`${field}.${index}.label`, label === '' && messages.linkLabelRequired)
    add(`${field}.${index}.label`, lengthOf(label) > limits.linkLabel && messages.linkLabelTooLong)
    if (isWebUrl(url)) count += 1
  })
  add(field, count > limits.links && messages.linksTooMany)
}

function checkNewsletterForm(input: SaveSiteSettings, add: Add) {
  const script = trimmed(input.subscribeScriptUrl)
  if (lengthOf(script) > limits.url) add('subscribeScriptUrl', messages.urlTooLong)
  else if (script !== '' && !isPolicySource(script)) add('subscribeScriptUrl', messages.urlInvalid)
  else add('subscribeScriptUrl', isHttp(script) && messages.scriptNotHttps)
  const id = trimmed(input.subscribeContainerId)
  add(
    'subscribeContainerId',
    (lengthOf(id) > limits.name || /\s/.test(id)) && messages.formIdInvalid,
  )
  const attributes = Object.entries(input.subscribeAttributes ?? {})
  add('subscribeAttributes', attributes.length > limits.links && messages.formListTooLong)
  for (const [name, value] of attributes) {
    const isAllowed =
      /^[a-z][\w.:-]*$/i.test(name) && !/^on|^style$/i.test(name) && name.length <= limits.name
    add('subscribeAttributes', !isAllowed && messages.formAttributeInvalid)
    add('subscribeAttributes', lengthOf(value ?? '') > limits.url && messages.formValueTooLong)
  }
  const hosts = (input.subscribeAllowedHosts ?? []).map(trimmed).filter(Boolean)
  add('subscribeAllowedHosts', hosts.length > limits.links && messages.formListTooLong)
  for (const host of hosts) {
    if (lengthOf(host) > limits.url) add('subscribeAllowedHosts', messages.urlTooLong)
    else if (!isPolicySource(host)) add('subscribeAllowedHosts', messages.urlInvalid)
    else add('subscribeAllowedHosts', isHttp(host) && messages.scriptNotHttps)
  }
}

function checkNotice(input: SaveSiteSettings, add: Add, checkUrl: CheckUrl) {
  const notice = oneLine(input.noticeText)
  const label = oneLine(input.noticeLinkLabel)
  add('noticeText', lengthOf(notice) > limits.notice && messages.noticeTextTooLong)
  add('noticeLinkLabel', lengthOf(label) > limits.linkLabel && messages.linkLabelTooLong)
  const url = checkUrl('noticeLinkUrl', input.noticeLinkUrl)
  const end = trimmed(input.noticeEndsAt)
  add('noticeEndsAt', end !== '' && !isInstant(end) && messages.noticeEndInvalid)
  add('noticeText', notice === '' && (label !== '' || url !== '') && messages.noticeTextRequired)
  add('noticeLinkLabel', url !== '' && label === '' && messages.linkLabelRequired)
  add('noticeLinkUrl', label !== '' && url === '' && messages.linkUrlRequired)
}

/** Whether a text is an instant with its offset (RFC 3339). */
function isInstant(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

/** The site with these settings, for a preview. */
export function siteOf(values: SettingsValues, site: Site): Site {
  const links = (rows: readonly LinkRow[]) =>
    rows.filter(({ label, url }) => label.trim() !== '' && isWebUrl(url.trim()))
  const optional = (text: string) => text.trim() || null
  const linkOf = { label: values.noticeLinkLabel.trim(), url: values.noticeLinkUrl.trim() }
  const [whoWeAre, investments, discover, exploreMore] = linksFields.map((field) => ({
    title: fieldLabels[field],
    links: links(values[field]),
  }))
  return {
    ...site,
    name: oneLine(values.name),
    logoUrl: isImageUrl(values.logoUrl.trim()) ? values.logoUrl.trim() : null,
    learnMoreUrl: values.learnMoreUrl.trim(),
    scheduleCallUrl: optional(values.scheduleCallUrl),
    investorResourcesUrl: optional(values.investorResourcesUrl),
    contact: {
      addressLines: linesOf(values.addressLines),
      phone: oneLine(values.phone),
      email: values.email.trim(),
    },
    columns: [whoWeAre, investments, discover, exploreMore].filter(
      (column) => column !== undefined,
    ),
    social: links(values.social),
    disclaimer: oneLine(values.disclaimer),
    notice:
      values.noticeText.trim() === ''
        ? null
        : {
            id: '',
            text: oneLine(values.noticeText),
            link: linkOf.label !== '' && isWebUrl(linkOf.url) ? linkOf : null,
          },
  }
}

/** The fields with different values, without the keys of rows. */
export function differingFields(a: SettingsValues, b: SettingsValues): SettingsField[] {
  return settingsFields.filter((field) => textOf(a, field) !== textOf(b, field))
}

/** A value as text, with a line for each link. */
export function textOf(values: SettingsValues, field: SettingsField): string {
  const value = values[field]
  if (typeof value === 'string') return value.trim()
  return value
    .map(({ label, url }) => `${label.trim()} ${url.trim()}`.trim())
    .filter(Boolean)
    .join('\n')
}

/** The values with some fields of others. */
export function withFields(
  values: SettingsValues,
  others: SettingsValues,
  fields: readonly SettingsField[],
): SettingsValues {
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, others[field]])) }
}
