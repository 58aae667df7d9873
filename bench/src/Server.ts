import { spawn, type ChildProcess } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { apiKey, authorization, managementToken, siteId, writeKey } from "./credentials.ts"
import type { Blocked } from "./LoadJob.ts"
import { forgetPeak, peakMegabytesOf } from "./proc.ts"
import { fileURLToPath } from "node:url"
import { setTimeout as sleep } from "node:timers/promises"

/** The longest time that a server may take to start. */
const startMs = 60_000

/** The longest time that a server may take to stop. */
const stopMs = 30_000

const bareFile = fileURLToPath(new URL("bareServer.ts", import.meta.url))
const monitorUrl = new URL("blockedMonitor.js", import.meta.url).href
const root = fileURLToPath(new URL("../../", import.meta.url))

/** Returns the arguments that `pnpm start` passes to Node, so that the benchmark measures what users run. */
const startArguments = (folder: string): ReadonlyArray<string> => {
  const manifest: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  )
  const [, command = ""] = manifest.scripts.start.split(/exec (?:node_modules\/\.bin\/)?node /)
  const args = command.split(" ")
  return args.map((arg) => (arg.startsWith("-") ? arg : join(folder, arg)))
}

export interface StartOptions {
  readonly flags?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  /** The port on which the server listens. Any free port by default. */
  readonly port?: number
  /** The checkout whose bundle is started. This checkout by default. */
  readonly folder?: string
}

/** A server in its own process. */
export class Server {
  readonly port: number
  readonly pid: number
  /** The milliseconds from the start of the process to the first operation that the server accepted. */
  readonly startedMs: number
  private readonly child: ChildProcess
  private readonly exited: Promise<void>

  private constructor(
    port: number,
    pid: number,
    startedMs: number,
    child: ChildProcess,
    exited: Promise<void>,
  ) {
    this.port = port
    this.pid = pid
    this.startedMs = startedMs
    this.child = child
    this.exited = exited
  }

  /** Starts the bare server, which only parses bodies. */
  static bare(logFile: string): Promise<Server> {
    return Server.start([bareFile], {}, logFile)
  }

  /** Starts Inlet on a data directory as `pnpm start` does, with additional node flags and environment variables. */
  static inlet(
    dataDirectory: string,
    logFile: string,
    { environment, flags = [], folder = root, port }: StartOptions,
  ): Promise<Server> {
    const args = [...flags, ...startArguments(folder)]
    return Server.start(args, { ...environment, INLET_DATA_DIR: dataDirectory }, logFile, port)
  }

  private static async start(
    args: ReadonlyArray<string>,
    environment: Readonly<Record<string, string>>,
    logFile: string,
    chosenPort?: number,
  ): Promise<Server> {
    const port = chosenPort ?? (await freePort())
    const log = openSync(logFile, "w")
    const from = performance.now()
    const child = spawn(process.execPath, ["--import", monitorUrl, ...args], {
      stdio: ["ignore", log, log, "ipc"],
      env: {
        PATH: process.env["PATH"],
        ...environment,
        INLET_HOST: "127.0.0.1",
        INLET_PORT: String(port),
        INLET_SITE_ID: siteId,
        INLET_API_KEY: apiKey,
        INLET_WRITE_KEY: writeKey,
        INLET_MANAGEMENT_TOKEN: managementToken,
      },
    })
    closeSync(log)
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
    const { pid } = child
    if (pid === undefined) throw new Error(`cannot start: ${args.join(" ")}`)
    running.add(child)
    void exited.then(() => running.delete(child))
    while (!(await accepts(port))) {
      if (child.exitCode !== null || performance.now() - from > startMs) {
        child.kill("SIGKILL")
        throw new Error(
          `${args.join(" ")} did not accept an operation within ${startMs / 1000} s, or exited:\n${readFileSync(logFile, "utf8").slice(-4000)}`,
        )
      }
      await sleep(10)
    }
    return new Server(port, pid, performance.now() - from, child, exited)
  }

  /** Returns the peak memory in MB since the previous call of this method. */
  takePeak(): number {
    const peak = peakMegabytesOf(this.pid)
    forgetPeak(this.pid)
    return peak
  }

  /** Starts to measure how long the main thread is blocked. */
  measureBlocked(): void {
    this.tell("start")
  }

  /** Returns for how long the main thread was blocked since `measureBlocked`. */
  takeBlocked(): Promise<Blocked> {
    return new Promise((resolve) => {
      this.child.once("message", (report) => resolve(blockedIn(report)))
      void this.exited.then(() => resolve(blockedIn({})))
      this.tell("report")
    })
  }

  private tell(message: "start" | "report"): void {
    // Sending fails if the server has exited. The error is ignored here, because the caller then gets NaN from `takeBlocked`.
    this.child.send(message, () => {})
  }

  /** Kills the process. Everything that was not committed is lost. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL")
    await this.exited
  }

  /**
   * Stops the process gracefully, so that Node writes its CPU profile. Kills the process if it has not exited within
   * `stopMs` milliseconds.
   */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), stopMs)
    this.child.kill("SIGTERM")
    await this.exited
    clearTimeout(timer)
  }
}

/** Reads a report of `blockedMonitor.js`. JSON has no NaN. */
const blockedIn = (report: object | string | number | boolean | bigint | null): Blocked => {
  const times = new Map<string, unknown>(Object.entries(report ?? {}))
  const time = (name: keyof Blocked) => {
    const ms = times.get(name)
    return typeof ms === "number" ? ms : Number.NaN
  }
  return { blockedMs: time("blockedMs"), ownMs: time("ownMs"), workedMs: time("workedMs") }
}

const running = new Set<ChildProcess>()

/** Kills all servers, so that no server keeps running when the benchmark ends early. */
export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL")
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/**
 * Returns true if the server accepts an operation. The operation is an identify, because an event would change the
 * number of stored events.
 */
const accepts = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/v1/customers/first`, {
    method: "PUT",
    headers: { authorization, connection: "close" },
    body: "{}",
  }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )
