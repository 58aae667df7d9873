import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { insertRate } from "./insertRate.ts"

const sourceFile = fileURLToPath(new URL("slowSync.c", import.meta.url))
const compileMaxMs = 30_000

/**
 * The sync delay with which the benchmark checks the imitated slow disk. The check passes if each commit of SQLite waits
 * at least this long.
 */
const checkDelayMs = 50

/** The duration, in milliseconds, of the inserts with which the benchmark checks the imitated slow disk. */
const checkMs = 400

/** A slow disk, or the reason why this machine cannot imitate a slow disk. */
export type BuiltDisk =
  | { readonly kind: "built"; readonly disk: SlowDisk }
  | { readonly kind: "unavailable"; readonly reason: string }

/** Imitates a slow disk by delaying each fsync and fdatasync of the processes that are started with `environment`. */
export class SlowDisk {
  readonly environment: Readonly<Record<string, string>>
  private readonly delayFile: string

  private constructor(library: string, delayFile: string) {
    this.environment = { LD_PRELOAD: library, SYNC_DELAY_FILE: delayFile }
    this.delayFile = delayFile
  }

  /** Compiles the library that delays syncs, and checks that SQLite inside Node calls this library. */
  static async build(directory: string): Promise<BuiltDisk> {
    if (process.platform !== "linux") return unavailable("delaying syncs requires Linux")
    mkdirSync(directory)
    const library = join(directory, "slowSync.so")
    const failure = await compile(library)
    if (failure !== undefined) return unavailable(failure)
    const delayFile = join(directory, "delay")
    writeFileSync(delayFile, microsOf(checkDelayMs))
    const disk = new SlowDisk(library, delayFile)
    const commitsPerSecond = await insertRate("sqlite", directory, 1, checkMs, disk.environment)
    if (commitsPerSecond > 1000 / checkDelayMs)
      return unavailable("the commits of SQLite did not wait for the delay")
    disk.setDelay(0)
    return { kind: "built", disk }
  }

  /** Sets the delay of each sync, including the syncs of running processes. */
  setDelay(milliseconds: number): void {
    // Running processes map this file, and truncating a mapped file would kill them. Therefore the new delay is written
    // in place.
    writeFileSync(this.delayFile, microsOf(milliseconds), { flag: "r+" })
  }
}

const unavailable = (reason: string): BuiltDisk => ({ kind: "unavailable", reason })

/** Compiles `slowSync.c`. Returns an error text, or undefined after a success. */
const compile = (library: string): Promise<string | undefined> =>
  promisify(execFile)("cc", ["-O2", "-shared", "-fPIC", "-o", library, sourceFile], {
    timeout: compileMaxMs,
  }).then(
    () => undefined,
    (error: unknown) => `cannot compile slowSync.c with cc: ${String(error).split("\n")[0]}`,
  )

const microsOf = (milliseconds: number) => new Uint32Array([Math.round(milliseconds * 1000)])
