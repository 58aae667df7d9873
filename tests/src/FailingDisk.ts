import { execFileSync } from "node:child_process"
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freshDirectory } from "./cleanup.ts"

const sourceFile = fileURLToPath(new URL("failingSync.c", import.meta.url))

/**
 * Offsets in the file that controls how syncs fail. At `leftAt` is a 32-bit integer with the number of syncs that will
 * still fail. At `errorAt` is a 32-bit integer with the error number that these syncs return.
 */
const leftAt = 0
const errorAt = 4

/** Makes fsync and fdatasync fail in the servers that are started with `environment`. */
export class FailingDisk {
  readonly environment: Readonly<Record<string, string>>
  private readonly failures: number

  private constructor(library: string, failuresFile: string) {
    this.environment = { LD_PRELOAD: library, SYNC_FAILURES_FILE: failuresFile }
    this.failures = openSync(failuresFile, "r+")
  }

  /**
   * Compiles the C library that makes syncs fail in servers that preload it. Returns undefined if this machine does not
   * run Linux or has no C compiler.
   */
  static build(): FailingDisk | undefined {
    if (process.platform !== "linux") return undefined
    const directory = freshDirectory()
    const [library, failuresFile] = [join(directory, "failingSync.so"), join(directory, "failures")]
    try {
      execFileSync("cc", ["-O2", "-shared", "-fPIC", "-o", library, sourceFile], { stdio: "ignore" })
    } catch {
      return undefined
    }
    writeFileSync(failuresFile, new Int32Array([0, 0]))
    return new FailingDisk(library, failuresFile)
  }

  /** Makes the next `count` syncs fail with an error. With a count of zero, syncs succeed again. */
  fail(count: number, error: "EIO" | "ENOSPC" = "EIO"): void {
    // A failing sync first decrements the count and then reads the error number. Therefore the error number is written
    // before the count.
    writeSync(this.failures, new Int32Array([constants.errno[error]]), 0, 4, errorAt)
    writeSync(this.failures, new Int32Array([count]), 0, 4, leftAt)
  }

  /** The number of syncs that will still fail. */
  get left(): number {
    const left = new Int32Array(1)
    readSync(this.failures, left, 0, 4, leftAt)
    return left[0] ?? 0
  }

  close(): void {
    closeSync(this.failures)
  }
}
