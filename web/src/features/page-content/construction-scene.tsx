import styles from './construction-scene.module.css'

/** The widths of the images that `npm run art` generates from the SVG files. */
const widths = [750, 1080, 1366, 1920, 2732, 3840]

const sourcesOf = (scene: string) =>
  widths.map((width) => `/art/${scene}-${width}.avif ${width}w`).join(', ')

// 270px high on phones, so it is wider than a narrow window.
const sizes = '(max-width: 617px) 617px, 100vw'

/**
 * The construction scene shown while there is no upcoming event, by day and by night: an image of the
 * window's width, else the SVG file (spec §2, Next Event card).
 */
export function ConstructionScene() {
  return (
    <>
      <picture className="day-only">
        <source
          type="image/avif"
          media="(prefers-color-scheme: light)"
          srcSet={sourcesOf('hero-stay-tuned')}
          sizes={sizes}
        />
        <img className={styles.root} src="/art/hero-stay-tuned.svg" alt="" />
      </picture>
      <picture className="night-only">
        <source
          type="image/avif"
          media="(prefers-color-scheme: dark)"
          srcSet={sourcesOf('hero-stay-tuned-night')}
          sizes={sizes}
        />
        <img className={styles.root} src="/art/hero-stay-tuned-night.svg" alt="" loading="lazy" />
      </picture>
    </>
  )
}
