import { existsSync } from 'node:fs'

const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Without background activity, and without the sandbox, which root can't use. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How to start a browser: the system's Chromium, or else the one of the package. */
export async function launchOptions() {
  return { executablePath: system.find(existsSync) ?? (await packaged()), args: flags }
}

async function packaged(): Promise<string> {
  // Only on AWS Lambda does the package unpack the libraries that Chromium needs.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
