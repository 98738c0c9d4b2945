import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const binary =
  process.env.LECTERN_BIN ??
  fileURLToPath(new URL('../../../target/release/lectern', import.meta.url))

/** The account that `createAdmin` creates. */
export const admin = { email: 'admin@example.com', password: 'correct horse battery' }

/** A running server with its own database. */
export interface Lectern {
  url: string
  /** Creates an account for the portal on the command line. */
  createAdmin: () => void
  /** Resets the password of that account to the same one, which ends its sessions. */
  resetPassword: () => void
  stop: () => Promise<void>
}

/** Starts a real binary, with the demo events or an empty database, and with this config.toml. */
export async function startLectern(
  data: 'demo' | 'empty',
  config = '',
  program = binary,
): Promise<Lectern> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  await writeFile(join(folder, 'config.toml'), config)
  // Root reads the configuration of a folder only if it is named.
  const files = ['--config', 'config.toml', '--database', join(folder, 'lectern.db')]
  const demo = data === 'demo' ? ['--demo'] : []
  const server = spawn(program, ['serve', ...demo, '--listen', '127.0.0.1:0', ...files], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

  const createAdmin = (...more: string[]) => {
    const options = ['create-admin', '--email', admin.email, '--password-stdin', ...files]
    const { status, stderr } = spawnSync(program, [...options, ...more], {
      cwd: folder,
      input: `${admin.password}\n`,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`create-admin failed: ${stderr}`)
  }

  return {
    url: await urlOf(server),
    createAdmin: () => {
      createAdmin()
    },
    resetPassword: () => {
      createAdmin('--reset-password')
    },
    stop: async () => {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await rm(folder, { recursive: true })
    },
  }
}

/** Waits for the line with the URL that the server prints when it listens. */
async function urlOf(server: ChildProcess): Promise<string> {
  let log = ''
  server.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  if (!server.stdout) throw new Error('The server has no output')
  for await (const line of createInterface(server.stdout)) {
    const url = /Lectern is listening on (http:\S+)/.exec(line)?.[1]
    if (url) {
      server.stdout.resume()
      return url
    }
  }
  throw new Error(`The server exited before it listened: ${log}`)
}
