import { spawn, type ChildProcess } from "node:child_process"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { eventually } from "./eventually.ts"
import { keepTrackOf, startedByTest } from "./leftovers.ts"

/** The global setup is run by Vite, whose `import.meta` cannot resolve. */
const require = createRequire(import.meta.url)

export const serverFile = require.resolve("@inlet/server/main")

export const cliFile = require.resolve("@inlet/cli/main")

/** The unit of times in `/proc`, the same on every Linux architecture that Node runs on. */
const clockTicksPerSecond = 100

type Variables = Readonly<Record<string, string>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A server process, whether or not it comes to listen. */
export class Launched {
  readonly child: ChildProcess
  readonly output: Array<string> = []
  readonly exit: Promise<Exit>
  exited: Exit | undefined

  constructor(child: ChildProcess) {
    this.child = child
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => this.output.push(line))
    }
    this.exit = new Promise((resolve) =>
      child.once("close", (code, signal) => {
        this.exited = { code, signal }
        resolve(this.exited)
      }),
    )
    keepTrackOf(child)
  }

  /** The lines printed that are not blank. */
  lines(): ReadonlyArray<string> {
    return this.output.filter((line) => line.trim() !== "")
  }

  /** The address printed once the server listens. */
  listening(): Promise<string> {
    return eventually("the server listens", () => {
      const url = this.output
        .filter((line) => line.includes("listening"))
        .map((line) => /http:\/\/[\w.[\]:-]+:\d+/.exec(line)?.[0])
        .find((found) => found !== undefined)
      if (url === undefined && this.exited !== undefined) {
        throw new Error(`the server ended with ${this.exited.code}:\n${this.output.join("\n")}`)
      }
      return url
    })
  }

  signal(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal)
    return this.exit
  }

  /** CPU time that the process has taken so far. Unlike a clock, it does not depend on what else the machine does. */
  cpuSeconds(): number {
    // The name, in parentheses, may hold spaces; user and system time are the 14th and 15th field.
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond
  }

  /** Bytes of memory, now and at the most so far. */
  memory(): { readonly now: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8")
    const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1])
    return { now: kibibytes("VmRSS") * 1024, peak: kibibytes("VmHWM") * 1024 }
  }
}

/** Keeps compiled code from one start to the next: what is tested is the server, not the compiler. */
const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
}

/** Starts a server with these variables. */
export const launch = (
  variables: Variables,
  file: string = serverFile,
  args: ReadonlyArray<string> = [],
): Launched => launchAs([process.execPath, file, ...args], { ...compileCache, ...variables })

/** Starts a server through another command. */
export const launchAs = (command: ReadonlyArray<string>, variables: Variables): Launched => {
  const [file = "", ...rest] = command
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...startedByTest(), ...variables }
  return new Launched(spawn(file, rest, { env, stdio: ["ignore", "pipe", "pipe"] }))
}
