import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "./freePort.ts"
import { serverUser } from "./installations.ts"
import { password, superuser, type ServerAddress } from "./ServerAddress.ts"

/** The number of connections to the server that the pooler shares among its clients. */
const poolSize = 3

const pollMs = 20

/** A PgBouncer in transaction mode in front of a server. Each transaction of a client may run on another connection. */
export class Pooler {
  readonly port: number
  private readonly child: ChildProcess
  private readonly folder: string

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port
    this.child = child
    this.folder = folder
  }

  /** Returns whether `pgbouncer` is on the path of this process. */
  static isInstalled(): boolean {
    return spawnSync("pgbouncer", ["--version"], serverUser()).status === 0
  }

  static async start(server: ServerAddress): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), "inlet-pooler-"))
    chmodSync(folder, 0o755)
    const port = await freePort()
    const file = join(folder, "pgbouncer.ini")
    writeFileSync(file, settingsFor(server, port), { mode: 0o644 })
    const child = spawn("pgbouncer", ["--quiet", file], { stdio: "ignore", ...serverUser() })
    const pooler = new Pooler(port, child, folder)
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`)
      await pause(pollMs)
    }
    return pooler
  }

  async remove(): Promise<void> {
    const ended = this.child.exitCode === null ? once(this.child, "exit") : Promise.resolve()
    this.child.kill("SIGTERM")
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const settingsFor = (server: ServerAddress, port: number): string => `
[databases]
* = host=127.0.0.1 port=${server.port} user=${superuser} password='${password}'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
`

const accepts = async (port: number): Promise<boolean> => {
  const socket = connect({ port, host: "127.0.0.1" })
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true))
    socket.once("error", () => resolve(false))
  })
  socket.destroy()
  return accepted
}
