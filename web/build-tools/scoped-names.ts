import { basename } from 'node:path'

/**
 * Names the classes of CSS modules `<file>__<class>`: `title` of `next-event-card.module.css` is
 * `next-event-card__title`.
 *
 * The server renders pages with the same names, so they must not depend on a hash. Two modules with
 * the same file name would share their classes; that fails the build.
 */
export function scopedNames(): (name: string, file: string) => string {
  const owners = new Map<string, string>()

  return (name, file) => {
    const path = file.split('?')[0] ?? file
    const block = basename(path, '.module.css')
    const owner = owners.get(block) ?? path
    if (owner !== path) {
      throw new Error(`Two CSS modules are named ${block}: ${owner} and ${path}`)
    }
    owners.set(block, path)
    return `${block}__${name}`
  }
}
