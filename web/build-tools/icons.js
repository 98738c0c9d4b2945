// @ts-check
import { Buffer } from 'node:buffer'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const folder = fileURLToPath(new URL('../public/', import.meta.url))
/** The color behind the logo. */
const background = '#013e48'
/** The width of the SVG file, in units of 1/72 inch. */
const svgWidth = 38

/**
 * The logo as a square PNG of `size` pixels. `scale` is the logo's share of the side.
 *
 * @param {number} size
 * @param {number} scale
 */
async function renderPng(size, scale = 1) {
  const inner = Math.round(size * scale)
  const logo = await sharp(await readFile(`${folder}favicon.svg`), {
    density: (72 * inner) / svgWidth,
  })
    .resize(inner, inner)
    .png()
    .toBuffer()
  return sharp({ create: { width: size, height: size, channels: 3, background } })
    .composite([{ input: logo }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/**
 * An .ico file: a table of sizes and offsets, followed by the PNG images.
 *
 * @param {readonly number[]} sizes
 */
async function renderIco(sizes) {
  const images = await Promise.all(sizes.map((size) => renderPng(size)))
  const table = Buffer.alloc(6 + 16 * sizes.length)
  table.writeUInt16LE(1, 2)
  table.writeUInt16LE(sizes.length, 4)
  let offset = table.length
  sizes.forEach((size, index) => {
    const entry = 6 + 16 * index
    const length = images[index]?.length ?? 0
    table.writeUInt8(size, entry)
    table.writeUInt8(size, entry + 1)
    table.writeUInt16LE(1, entry + 4)
    table.writeUInt16LE(32, entry + 6)
    table.writeUInt32LE(length, entry + 8)
    table.writeUInt32LE(offset, entry + 12)
    offset += length
  })
  return Buffer.concat([table, ...images])
}

/** Renders the site's icons from its logo; part of `npm run art`. */
export async function renderIcons() {
  await mkdir(`${folder}icons`, { recursive: true })
  await writeFile(`${folder}icons/icon-192.png`, await renderPng(192))
  await writeFile(`${folder}icons/icon-512.png`, await renderPng(512))
  // Android may crop it to a circle of 80% of its width.
  await writeFile(`${folder}icons/icon-maskable-512.png`, await renderPng(512, 0.72))
  await writeFile(`${folder}icons/apple-touch-icon.png`, await renderPng(180))
  await writeFile(`${folder}favicon.ico`, await renderIco([16, 32, 48]))
}
