import { call, refusalOf } from './client'

/** Sends a picture to be kept by this server, and returns its address here. */
export async function uploadPicture(picture: File): Promise<string> {
  const response = await call('/api/pictures', {
    method: 'POST',
    headers: { 'Content-Type': picture.type },
    body: picture,
  })
  if (!response.ok) throw await refusalOf(response)
  return ((await response.json()) as { url: string }).url
}
