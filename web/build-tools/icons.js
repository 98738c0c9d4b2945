// @ts-check
import { Buffer } from 'node:buffer'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const folder = fileURLToPath(new URL('../public/', import.meta.url))
/** The mark's ground, which fills what the mark itself does not. */
const ground = '#013e48'
/** Units of the drawing, 72 of which are an inch. */
const drawn = 38

/**
 * The mark as a picture of so many pixels. `part` is how much of the side it takes.
 *
 * @param {number} size
 * @param {number} part
 */
async function picture(size, part = 1) {
  const inner = Math.round(size * part)
  const mark = await sharp(await readFile(`${folder}favicon.svg`), {
    density: (72 * inner) / drawn,
  })
    .resize(inner, inner)
    .png()
    .toBuffer()
  return sharp({ create: { width: size, height: size, channels: 3, background: ground } })
    .composite([{ input: mark }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/**
 * An .ico file, which holds PNG pictures as they are behind a table of their sizes and places.
 *
 * @param {readonly number[]} sizes
 */
async function icon(sizes) {
  const pictures = await Promise.all(sizes.map((size) => picture(size)))
  const table = Buffer.alloc(6 + 16 * sizes.length)
  table.writeUInt16LE(1, 2)
  table.writeUInt16LE(sizes.length, 4)
  let offset = table.length
  sizes.forEach((size, index) => {
    const at = 6 + 16 * index
    const length = pictures[index]?.length ?? 0
    table.writeUInt8(size, at)
    table.writeUInt8(size, at + 1)
    table.writeUInt16LE(1, at + 4)
    table.writeUInt16LE(32, at + 6)
    table.writeUInt32LE(length, at + 8)
    table.writeUInt32LE(offset, at + 12)
    offset += length
  })
  return Buffer.concat([table, ...pictures])
}

/** Makes the icons of the site from its mark; part of `npm run art`. */
export async function makeIcons() {
  await mkdir(`${folder}icons`, { recursive: true })
  await writeFile(`${folder}icons/icon-192.png`, await picture(192))
  await writeFile(`${folder}icons/icon-512.png`, await picture(512))
  // Home screens cut a circle out of this one, four fifths wide.
  await writeFile(`${folder}icons/icon-maskable-512.png`, await picture(512, 0.72))
  await writeFile(`${folder}icons/apple-touch-icon.png`, await picture(180))
  await writeFile(`${folder}favicon.ico`, await icon([16, 32, 48]))
}
