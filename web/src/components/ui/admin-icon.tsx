import styles from './icon.module.css'

const paths = {
  calendar: 'M3.5 5.5h13v11h-13zM3.5 9h13M7 3.5v3M13 3.5v3',
  plus: 'M10 4v12M4 10h12',
  edit: 'M4 16v-3.5L12.5 4 16 7.5 7.5 16zM10.5 6l3.5 3.5',
  delete: 'M4 6h12M8 6V3.5h4V6M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v4.5M11.5 9v4.5',
  sync: 'M15.5 8A6 6 0 0 0 5 6.5L3.5 8M3.5 4v4h4M4.5 12A6 6 0 0 0 15 13.5l1.5-1.5M16.5 16v-4h-4',
  download: 'M10 3.5v9M6 9l4 4 4-4M3.5 13v3.5h13V13',
  upload: 'M10 13V4M6 7.5 10 3.5l4 4M3.5 13v3.5h13V13',
  find: 'M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM13 13l4 4',
  copy: 'M7 7h9.5v9.5H7zM4 13H3.5V3.5H13V4',
  link: 'M8.5 11.5a3.2 3.2 0 0 0 4.6 0l3-3a3.2 3.2 0 0 0-4.6-4.6l-1 1M11.5 8.500a3.2 3.2 0 0 0-4.600 0l-3 3a3.200 3.200 0 0 0 4.600 4.600l1-1',
  history: 'M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7M10 6.500V10l2.500 1.500',
  account: 'M10 3.5a3.25 3.25 0 1 1 0 6.5 3.25 3.25 0 0 1 0-6.5zM3.5 16.5a6.5 4.5 0 0 1 13 0',
  check: 'M4 10.5 8 14.5 16 5.5',
} as const

/** An icon of the admin portal; separate from `Icon` to keep its paths out of the public pages. */
export function AdminIcon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className={styles.root} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
