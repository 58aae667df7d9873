import { once } from "node:events"
import { createServer } from "node:net"
import { expect, it } from "vitest"
import { freePorts } from "../src/freePort.ts"

it("gives different ports, and each can be listened on", async () => {
  const ports = await freePorts(200)
  expect(new Set(ports).size).toBe(200)
  for (const port of ports) {
    const listener = createServer().listen(port, "127.0.0.1")
    await once(listener, "listening")
    await once(listener.close(), "close")
  }
})
