import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process"
import { text } from "node:stream/consumers"
import { expect } from "vitest"
import { freshDirectory, killAfterTests, startedByTest } from "./cleanup.ts"
import { within } from "./eventually.ts"
import { cliFile, compileCache } from "./programs.ts"
import { runInProcess, type Ran } from "./runInProcess.ts"

/** True if the `script` command of util-linux can run a program on a terminal. */
export const hasTerminals = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes(
  "util-linux",
)

/** Runs the `inlet` command with these environment variables and a new configuration folder. */
export class CommandLine {
  readonly configuration = freshDirectory()
  private readonly variables: Readonly<Record<string, string>>

  constructor(variables: Readonly<Record<string, string>>) {
    this.variables = variables
  }

  /** Starts a command and keeps its standard input open. */
  start(args: ReadonlyArray<string>): ChildProcessWithoutNullStreams {
    return this.spawn(process.execPath, [cliFile, ...args])
  }

  /** Starts a command on a terminal, whose keys are the standard input of the returned process. */
  startOnTerminal(args: ReadonlyArray<string>): ChildProcessWithoutNullStreams {
    const words = [process.execPath, cliFile, ...args].map((word) => `'${word}'`).join(" ")
    return this.spawn("script", ["--quiet", "--return", "--command", words, "/dev/null"])
  }

  private spawn(program: string, args: ReadonlyArray<string>): ChildProcessWithoutNullStreams {
    const child = spawn(program, args, {
      env: {
        PATH: process.env["PATH"],
        ...compileCache,
        ...startedByTest(),
        ...this.environment(),
      },
      stdio: "pipe",
    })
    killAfterTests(child)
    return child
  }

  private environment(): Readonly<Record<string, string>> {
    return { TZ: "UTC", XDG_CONFIG_HOME: this.configuration, ...this.variables }
  }

  /** Runs a command in the process of the test, which costs least. */
  run(args: ReadonlyArray<string>, input = ""): Promise<Ran> {
    return within(`inlet ${args.join(" ")} ends`, runInProcess(this.environment(), args, input))
  }

  /** Runs a command in a process of its own and waits until it exits. */
  async runProcess(args: ReadonlyArray<string>, input = ""): Promise<Ran> {
    const child = this.start(args)
    child.stdin.end(input)
    const code = new Promise<number | null>((resolve) => child.once("close", resolve))
    const outputs = Promise.all([text(child.stdout), text(child.stderr)])
    const [stdout, stderr] = await within(`inlet ${args.join(" ")} ends`, outputs)
    return { code: await code, stdout, stderr }
  }

  /** Runs a command and returns the lines of its standard output. Fails the test if the command fails. */
  async lines(...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
    const { code, stderr, stdout } = await this.run(args)
    expect(code, `inlet ${args.join(" ")}: ${stderr}`).toBe(0)
    return stdout.split("\n").filter((line) => line !== "")
  }

  /** Runs a command with `--json` and returns the JSON output. Fails the test if the command fails. */
  async json(...args: ReadonlyArray<string>): Promise<unknown> {
    const [line = ""] = await this.lines(...args, "--json")
    return JSON.parse(line)
  }
}
