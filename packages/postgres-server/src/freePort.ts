import { once } from "node:events"
import { randomInt } from "node:crypto"
import { createServer, type Server } from "node:net"

/**
 * Ports below those that systems give to outgoing connections and to listeners on port 0, so that neither takes one
 * between the moment it is chosen and the moment its server listens on it.
 */
const firstPort = 16_384
const lastPort = 32_767

/** Returns a port of the loopback address on which no process listens now. */
export const freePort = async (): Promise<number> => {
  const [port = 0] = await freePorts(1)
  return port
}

/** Returns `count` different ports of the loopback address on which no process listens now. */
export const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const held = new Map<number, Server>()
  while (held.size < count) {
    const port = randomInt(firstPort, lastPort + 1)
    const listener = await listenOn(port)
    if (listener !== undefined) held.set(port, listener)
  }
  await Promise.all([...held.values()].map((listener) => once(listener.close(), "close")))
  return [...held.keys()]
}

/** Listens on a port, which holds it until the listener is closed, or returns undefined if the port is in use. */
const listenOn = async (port: number): Promise<Server | undefined> => {
  const listener = createServer()
  try {
    await once(listener.listen(port, "127.0.0.1"), "listening")
    return listener
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined
    throw error
  }
}
