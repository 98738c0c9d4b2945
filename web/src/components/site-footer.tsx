import { defaultTimeZone } from '../api/generated/contract'
import type { Site } from '../api/types'
import { classNames } from '../lib/class-names'
import { useMinute } from '../lib/hydration'
import { wallClock } from '../lib/zones'
import { NewTabLink } from './links'
import { Logo } from './logo'
import styles from './site-footer.module.css'
import { buttonClass } from './ui/button'

/** The footer with the company's configured contact data and links (spec §2, Home page). */
export function SiteFooter({ site, homeHref }: { site: Site; homeHref: string }) {
  const year = copyrightYear(useMinute())
  return (
    <footer className={classNames(styles.root, 'on-deep')}>
      <div className="wrap">
        <div className={styles.top}>
          <div className={styles.company}>
            <div>
              <Logo name={site.name} imageUrl={site.logoUrl} href={homeHref} isOnDark />
            </div>
            <Contact contact={site.contact} />
            <div className={styles.buttons}>
              {site.scheduleCallUrl && (
                <NewTabLink
                  className={buttonClass({ variant: 'accent', size: 'small' })}
                  href={site.scheduleCallUrl}
                >
                  Schedule a Call
                </NewTabLink>
              )}
              {site.investorResourcesUrl && (
                <NewTabLink
                  className={buttonClass({ variant: 'secondary', size: 'small' }, styles.outline)}
                  href={site.investorResourcesUrl}
                >
                  Investor Resources
                </NewTabLink>
              )}
            </div>
          </div>
          {site.columns.map((column) => (
            <nav key={column.title} aria-label={column.title}>
              <h2 className={styles.heading}>{column.title}</h2>
              <ul>
                {column.links.map((link) => (
                  <li key={`${link.label} ${link.url}`}>
                    <NewTabLink className={styles.link} href={link.url}>
                      {link.label}
                    </NewTabLink>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className={styles.end}>
          <p>{`© ${year} ${site.name}. ${site.disclaimer}`}</p>
          {site.social.length > 0 && (
            <ul className={styles.social} aria-label="Social media">
              {site.social.map((link) => (
                <li key={link.url}>
                  <NewTabLink className={styles.link} href={link.url}>
                    {link.label}
                  </NewTabLink>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </footer>
  )
}

/** A link if there is a number to call. */
function Phone({ text }: { text: string }) {
  const number = text.replace(/[^\d+]/g, '')
  if (!/\d/.test(number)) return text
  return (
    <a className={styles.contactLink} href={`tel:${number}`}>
      {text}
    </a>
  )
}

function Contact({ contact }: { contact: Site['contact'] }) {
  return (
    <address className={styles.contact}>
      {contact.addressLines.map((line) => (
        <span key={line} className={styles.contactLine}>
          {line}
        </span>
      ))}
      {contact.phone && (
        <span className={styles.contactLine}>
          <Phone text={contact.phone} />
        </span>
      )}
      {contact.email && (
        <span className={styles.contactLine}>
          <a className={styles.contactLink} href={`mailto:${contact.email}`}>
            {contact.email}
          </a>
        </span>
      )}
    </address>
  )
}

/** The year in the footer, in the default time zone. */
export function copyrightYear(instant: number): string {
  return String(wallClock(instant, defaultTimeZone).getUTCFullYear())
}
