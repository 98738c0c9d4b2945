// @ts-check
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { renderIcons } from './icons.js'

/** The widths of the guide, and twice the two largest for high-density screens. */
const widths = [750, 1080, 1366, 1920, 2732, 3840]
const scenes = ['hero-stay-tuned', 'hero-stay-tuned-night']
const folder = fileURLToPath(new URL('../public/art/', import.meta.url))

/** The density, in dots per inch, at which one unit of the SVG is one pixel. */
const baseDensity = 72
/** The width of the SVG files, in units. */
const svgWidth = 1920

/**
 * Renders the hero's AVIF images from its SVG files: run `npm run art` after changing one. The
 * images are committed, so the build needs no image library.
 */
for (const scene of scenes) {
  const svg = await readFile(`${folder}${scene}.svg`)
  for (const width of widths) {
    const density = baseDensity * Math.max(1, width / svgWidth)
    const image = await sharp(svg, { density })
      .resize(width)
      // Chroma subsampling would blur the sharp edges between flat colors.
      .avif({ quality: 50, effort: 4, chromaSubsampling: '4:4:4' })
      .toBuffer()
    await writeFile(`${folder}${scene}-${width}.avif`, image)
    process.stdout.write(`${scene}-${width}.avif ${image.length}\n`)
  }
}

await renderIcons()
