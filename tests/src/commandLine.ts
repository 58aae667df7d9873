import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { expect } from "vitest"
import { freshDirectory, killAfterTests, startedByTest } from "./cleanup.ts"
import { within } from "./eventually.ts"
import { cliFile, compileCache } from "./Launched.ts"

/** What a command printed, and its exit code. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the `inlet` command for one server, with a configuration folder of its own. */
export class CommandLine {
  readonly configuration = freshDirectory()
  private readonly variables: Readonly<Record<string, string>>

  constructor(variables: Readonly<Record<string, string>>) {
    this.variables = variables
  }

  /** Runs a command to its end. */
  async run(args: ReadonlyArray<string>, input = ""): Promise<Ran> {
    const child = spawn(process.execPath, [cliFile, ...args], {
      env: {
        PATH: process.env["PATH"],
        TZ: "UTC",
        XDG_CONFIG_HOME: this.configuration,
        ...compileCache,
        ...startedByTest(),
        ...this.variables,
      },
      stdio: "pipe",
    })
    killAfterTests(child)
    child.stdin.end(input)
    const code = new Promise<number | null>((resolve) => child.once("close", resolve))
    const outputs = Promise.all([text(child.stdout), text(child.stderr)])
    const [stdout, stderr] = await within(`inlet ${args.join(" ")} ends`, outputs)
    return { code: await code, stdout, stderr }
  }

  /** Runs a command that must succeed, and returns the lines it printed to standard output. */
  async lines(...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
    const { code, stderr, stdout } = await this.run(args)
    expect(code, `inlet ${args.join(" ")}: ${stderr}`).toBe(0)
    return stdout.split("\n").filter((line) => line !== "")
  }

  /** Runs a command with `--json` that must succeed, and returns the JSON it printed. */
  async json(...args: ReadonlyArray<string>): Promise<unknown> {
    const [line = ""] = await this.lines(...args, "--json")
    return JSON.parse(line)
  }
}
