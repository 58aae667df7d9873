import { spawn, type ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"
import { readFileSync } from "node:fs"
import { eventually } from "./eventually.ts"
import { killAfterTests, startedByTest } from "./cleanup.ts"
import { compileCache, serverFile } from "./programs.ts"

/** CPU times in `/proc` are in clock ticks. On every Linux architecture that Node supports, a second has 100 ticks. */
const clockTicksPerSecond = 100

type Variables = Readonly<Record<string, string>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A started process, with its output and its exit code. The process is killed at the end of its test file. */
export class Launched {
  readonly child: ChildProcess
  readonly output: Array<string> = []
  readonly exit: Promise<Exit>
  /** Everything that the process has printed, with lines that have not ended. */
  printed = ""
  exited: Exit | undefined

  constructor(child: ChildProcess) {
    this.child = child
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on("line", (line) => this.output.push(line))
      stream.on("data", (chunk: Buffer) => {
        this.printed += chunk.toString()
      })
    }
    this.exit = new Promise((resolve) =>
      child.once("close", (code, signal) => {
        this.exited = { code, signal }
        resolve(this.exited)
      }),
    )
    killAfterTests(child)
  }

  /** Returns the printed lines that are not blank. */
  lines(): ReadonlyArray<string> {
    return this.output.filter((line) => line.trim() !== "")
  }

  /** Waits until the server listens, and returns the URL that it has printed. Throws if the server exits first. */
  listening(): Promise<string> {
    return eventually("the server listens", () => {
      const url = this.output
        .filter((line) => line.includes("listening"))
        .map((line) => /http:\/\/[\w.[\]:-]+:\d+/.exec(line)?.[0])
        .find((found) => found !== undefined)
      if (url === undefined && this.exited !== undefined) {
        throw new Error(`the server exited with ${this.exited.code}:\n${this.output.join("\n")}`)
      }
      return url
    })
  }

  signal(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal)
    return this.exit
  }

  /**
   * Returns the CPU time that the process has used. CPU time, unlike elapsed time, does not depend on the load of the
   * machine.
   */
  cpuSeconds(): number {
    // The process name is in parentheses and can contain spaces, so the text is split after the parentheses. Fields 14
    // and 15 are the user time and the system time.
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond
  }

  /** Returns the current and the peak resident memory in bytes. */
  memory(): { readonly now: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8")
    const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1])
    return { now: kibibytes("VmRSS") * 1024, peak: kibibytes("VmHWM") * 1024 }
  }
}

/** Starts a Node program with these environment variables. The default program is the server. */
export const launch = (
  variables: Variables,
  file: string = serverFile,
  args: ReadonlyArray<string> = [],
): Launched => launchAs([process.execPath, file, ...args], { ...compileCache, ...variables })

/** Starts a command with these environment variables. */
export const launchAs = (command: ReadonlyArray<string>, variables: Variables): Launched => {
  const [file = "", ...rest] = command
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...startedByTest(), ...variables }
  return new Launched(spawn(file, rest, { env, stdio: ["ignore", "pipe", "pipe"] }))
}
