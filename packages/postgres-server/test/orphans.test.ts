import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { assert, it } from "vitest"

const accepts = async (port: number): Promise<boolean> => {
  const socket = connect({ port, host: "127.0.0.1" })
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true))
    socket.once("error", () => resolve(false))
  })
  socket.destroy()
  return accepted
}

it("when the process that started a PostgreSQL server is killed, the server ends and its data are removed", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("startForever.ts", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line]: Array<unknown> = await once(createInterface(child.stdout), "line")
  const { directory, port }: { readonly directory: string; readonly port: number } = JSON.parse(String(line))
  assert.isTrue(await accepts(port))
  child.kill("SIGKILL")
  await once(child, "exit")
  while ((await accepts(port)) || existsSync(directory)) await pause(20)
})
