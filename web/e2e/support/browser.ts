import { existsSync } from 'node:fs'

const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Switched off: whatever a browser does on its own in the background, and what root can't have. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How to start a browser: the system's Chromium where there is one, else that of the package. */
export async function launchOptions() {
  return { executablePath: system.find(existsSync) ?? (await packaged()), args: flags }
}

async function packaged(): Promise<string> {
  // It unpacks the libraries that it needs only where it takes this for its home.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
