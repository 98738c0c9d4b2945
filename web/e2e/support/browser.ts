import { existsSync } from 'node:fs'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Without background activity, and without the sandbox, which root can't use. Drawing in a process of its own, with a
 * thread for each processor, would take a fifth more of the processor time of all tests.
 */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--num-raster-threads=1',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts the Chromium from npm, whose version is fixed and which, without a window, needs two thirds of the time; or
 * the system's, where npm has none.
 */
export async function launchOptions() {
  const system = process.arch === 'x64' ? undefined : installed.find(existsSync)
  return { executablePath: system ?? (await packaged()), args: flags }
}

async function packaged(): Promise<string> {
  // The package unpacks the libraries that Chromium needs only on AWS Lambda.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
