import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError, request, responseError, writeJson } from '../../../../api/client'
import { createJson } from '../../../../api/forms'
import { limits } from '../../../../api/generated/validation'
import type {
  ExportFormat,
  ImportOptions,
  ImportPreview,
  ImportResult,
  UndoneImport,
} from '../../../../api/types'
import { eventsKey } from '../../api'

/** A file that was chosen for an import. */
export interface ChosenFile {
  name: string
  /** The content as base64. */
  content: string
  /** Distinguishes files that were chosen one after the other. */
  id: number
}

let lastId = 0

/** Reads a file; rejects with a message for the admin. */
export async function readFile(file: File): Promise<ChosenFile> {
  if (file.size > limits.importBytes) {
    throw new Error('The file is larger than 5 MB. Split it into several files.')
  }
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      resolve(reader.result as string)
    }
    reader.onerror = () => {
      reject(new Error('The file can’t be read. Choose it again.'))
    }
    reader.readAsDataURL(file)
  })
  lastId += 1
  return { name: file.name, content: url.slice(url.indexOf(',') + 1), id: lastId }
}

/** What an import of this file would do. */
export const previewQuery = (file: ChosenFile | null, options: ImportOptions) =>
  queryOptions({
    queryKey: [...eventsKey, 'import-preview', file?.id, options],
    queryFn: async ({ signal }) => {
      const response = await request('/api/events/import/preview', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ file: file?.content, options }),
        signal,
      })
      if (!response.ok) throw await responseError(response)
      return (await response.json()) as ImportPreview
    },
    enabled: file !== null,
    // While another choice is applied, the preview of the same file stays.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === file?.id ? keepPreviousData(previous) : undefined,
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })

/** Imports a file as the preview with this plan shows it. */
export const importEvents = (
  file: ChosenFile,
  options: ImportOptions,
  plan: string,
  key: (content: unknown) => string,
) =>
  createJson<ImportResult>(
    '/api/events/import',
    { file: file.content, options, plan },
    key([file.id, options, plan]),
  )

/** Removes what an import created and reverts its updates. */
export async function undoImport(result: ImportResult): Promise<UndoneImport> {
  const { created, speakers, bulkEdit } = result
  const undone = await writeJson<UndoneImport>('POST', '/api/events/import/undo', {
    created,
    speakers,
    bulkEdit,
  })
  if (!undone) throw new ApiError('Unknown error', 204)
  return undone
}

/** The file with these events. */
export async function exportEvents(format: ExportFormat, ids: readonly number[]): Promise<Blob> {
  const response = await request('/api/events/export', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ format, ids }),
  })
  if (!response.ok) throw await responseError(response)
  return response.blob()
}
