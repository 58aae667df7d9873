import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freshDirectory } from "./cleanup.ts"
import { send, type Answer } from "./http.ts"
import { variablesFor } from "./Inlet.ts"
import { launchAs, type Launched } from "./Launched.ts"
import { serverFile } from "./programs.ts"
import { compileCache } from "./programs.ts"

const movedClock = fileURLToPath(new URL("./movedClock.ts", import.meta.url))

/** A server whose clock a test moves. It listens, and need not be ready. */
export class ClockedServer {
  readonly process: Launched
  readonly url: string
  private readonly file: string

  private constructor(process: Launched, url: string, file: string) {
    this.process = process
    this.url = url
    this.file = file
  }

  /** Starts a server whose clock is this many milliseconds ahead. */
  static async start(
    aheadMs: number,
    {
      dataDir = join(freshDirectory(), "data"),
      env = {},
    }: { readonly dataDir?: string; readonly env?: Record<string, string> },
  ): Promise<ClockedServer> {
    const file = join(freshDirectory(), "clock")
    writeFileSync(file, String(aheadMs))
    const process = launchAs([globalThis.process.execPath, "--import", movedClock, serverFile], {
      ...compileCache,
      ...variablesFor(dataDir),
      ...env,
      INLET_TEST_CLOCK: file,
    })
    return new ClockedServer(process, await process.listening(), file)
  }

  /** Sets how many milliseconds the clock is ahead. */
  moveClock(aheadMs: number): void {
    writeFileSync(`${this.file}.next`, String(aheadMs))
    renameSync(`${this.file}.next`, this.file)
  }

  /** The answer of the readiness check. */
  readiness(): Promise<Answer> {
    return send(this.url, { method: "GET", path: "/health/ready" })
  }
}
