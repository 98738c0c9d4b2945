import styles from './icon.module.css'

const paths = {
  leave: 'M8 4.5H4.5v11h11V12M11 4.5h4.5V9M15.5 4.5 9 11',
  pin: 'M10 17.5s5.5-5 5.5-9.5a5.5 5.5 0 0 0-11 0c0 4.5 5.5 9.5 5.5 9.5zM10 6.5v3',
  close: 'M5 5l10 10M15 5 5 15',
  previous: 'M12.5 4.5 7 10l5.5 5.5',
  next: 'M7.5 4.5 13 10l-5.5 5.5',
  alert: 'M10 3 18 16.5H2zM10 8v4M10 14v.4',
  calendar: 'M3 5h14v12H3zM3 8.5h14M7 3v4M13 3v4M10 11v4M8 13h4',
  search: 'M8.5 3.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12.5 12.5l4.5 4.5',
  share: 'M10 12.5V3M6.5 6.5 10 3l3.5 3.5M4 10v7h12v-7',
} as const

/** A decorative icon, hidden from assistive technology. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className={styles.root} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
