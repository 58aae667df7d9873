import { once } from "node:events"
import { createServer } from "node:net"

/** Returns a port of the loopback address on which no process listens now. */
export const freePort = async (): Promise<number> => {
  const listener = createServer().listen(0, "127.0.0.1")
  await once(listener, "listening")
  const address = listener.address()
  listener.close()
  await once(listener, "close")
  if (address === null || typeof address === "string") throw new Error("a TCP listener must have a port")
  return address.port
}
