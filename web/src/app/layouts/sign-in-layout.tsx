import type { ReactNode } from 'react'
import { Logo } from '../../components/logo'
import { OfflineMessage, Toaster } from '../../components/ui/toaster'
import { Skyline } from '../../features/page-content/skyline'
import { classNames } from '../../lib/class-names'
import { useSite } from '../initial-data'
import { paths } from '../paths'
import styles from './sign-in-layout.module.css'

interface SignInLayoutProps {
  title: string
  children: ReactNode
}

/** The layout of the sign-in pages: one card above the skyline (guide §6, login). */
export function SignInLayout({ title, children }: SignInLayoutProps) {
  const { name, logoUrl } = useSite()
  return (
    <div className={styles.root}>
      <header className={classNames('wrap', styles.header)}>
        <Logo name={name} imageUrl={logoUrl} href={paths.home} />
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <div className={styles.card}>
          <h1 className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
      </main>
      <Skyline />
      <OfflineMessage />
      <Toaster />
    </div>
  )
}
