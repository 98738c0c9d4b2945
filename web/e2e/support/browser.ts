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

/** Starts the system's Chromium, or else the one from npm. */
export async function launchOptions() {
  return { executablePath: system.find(existsSync) ?? (await packaged()), args: flags }
}

async function packaged(): Promise<string> {
  // The package unpacks the libraries that Chromium needs only on AWS Lambda.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
