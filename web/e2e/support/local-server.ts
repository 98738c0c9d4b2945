import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of another site on this machine. */
export interface LocalServer {
  port: number
  stop: () => void
}

/** Starts one that responds with `listener`. */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
