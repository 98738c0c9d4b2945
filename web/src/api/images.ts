import { request, responseError } from './client'
import type { UploadedImage } from './types'

/** Uploads an image and returns its address on this server. */
export async function uploadImage(image: File): Promise<string> {
  const response = await request('/api/pictures', {
    method: 'POST',
    headers: { 'Content-Type': image.type },
    body: image,
  })
  if (!response.ok) throw await responseError(response)
  return ((await response.json()) as UploadedImage).url
}
