// @ts-check
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { makeIcons } from './icons.js'

/** The widths of the guide, and twice the two largest for screens with twice the points. */
const widths = [750, 1080, 1366, 1920, 2732, 3840]
const scenes = ['hero-stay-tuned', 'hero-stay-tuned-night']
const folder = fileURLToPath(new URL('../public/art/', import.meta.url))

// Points of the drawing to the inch, by which one unit of it is one pixel.
const natural = 72
const drawnWidth = 1920

/**
 * Makes the pictures of the hero from its drawings: `npm run art`, after a drawing has changed. They
 * are committed, so that building the page needs no picture library.
 */
for (const scene of scenes) {
  const drawing = await readFile(`${folder}${scene}.svg`)
  for (const width of widths) {
    const density = natural * Math.max(1, width / drawnWidth)
    const picture = await sharp(drawing, { density })
      .resize(width)
      // The grounds are flat and the edges sharp: colour must not be halved.
      .avif({ quality: 50, effort: 4, chromaSubsampling: '4:4:4' })
      .toBuffer()
    await writeFile(`${folder}${scene}-${width}.avif`, picture)
    process.stdout.write(`${scene}-${width}.avif ${picture.length}\n`)
  }
}

await makeIcons()
