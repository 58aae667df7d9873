import { cpSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, closeSync } from "node:fs"
import { join } from "node:path"
import type { Sync } from "../src/engine/LogFile.ts"

/** The salts and the length of a write-ahead log. The salts change when the log starts over. */
interface Extent {
  readonly salts: bigint
  readonly length: number
}

/**
 * A sync, and the part of the write-ahead log that the sync makes durable. Syncs are numbered in the order in which
 * they begin.
 */
interface StartedSync {
  readonly number: number
  readonly extent: Extent
}

interface RunningSync extends StartedSync {
  readonly done: (error: Error | null) => void
}

/**
 * A disk on which syncs take a random time, end in random order, and fail with a probability of `faultRate`. Time is
 * counted in turns of the event loop.
 */
export class SimulatedDisk {
  faultRate = 0
  /** The number of times that the store has recovered from a failed sync. */
  recoveries = 0
  private readonly random: () => number
  private running: Array<RunningSync> = []
  private begun = 0
  /**
   * Of all syncs that succeeded, the sync that began last. Its part of the log includes the parts that earlier syncs
   * made durable.
   */
  private stored: StartedSync = { number: 0, extent: { salts: 0n, length: 0 } }
  private isScheduled = false

  constructor(random: () => number) {
    this.random = random
  }

  readonly sync: Sync = (descriptor, done) => {
    this.running.push({ number: ++this.begun, extent: extentOf(descriptor), done })
    this.schedule()
  }

  /**
   * Records that the store has recovered from a failed sync. At the end of a recovery, the store itself has synced the
   * write-ahead log to disk.
   */
  recovered(directory: string): void {
    this.recoveries++
    const log = openSync(join(directory, "inlet.db-wal"), "r")
    this.stored = { number: ++this.begun, extent: extentOf(log) }
    closeSync(log)
  }

  /**
   * Copies a data directory as a power failure would leave it: the write-ahead log ends at a random place after the part that was
   * synced.
   */
  copyAfterPowerFailure(from: string, to: string): void {
    mkdirSync(to)
    for (const name of ["inlet.db", "inlet.db-wal"]) cpSync(join(from, name), join(to, name))
    const log = openSync(join(to, "inlet.db-wal"), "r+")
    const { length, salts } = extentOf(log)
    const { extent } = this.stored
    const stored = extent.salts === salts ? Math.min(extent.length, length) : 0
    const kind = this.random()
    const kept = kind < 0.3 ? 0 : kind < 0.4 ? 1 : this.random()
    ftruncateSync(log, stored + Math.floor((length - stored) * kept))
    closeSync(log)
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      if (this.random() < 0.5) this.endOne()
      if (this.running.length > 0) this.schedule()
    })
  }

  private endOne(): void {
    const [ended] = this.running.splice(Math.floor(this.random() * this.running.length), 1)
    if (ended === undefined) return
    if (this.random() < this.faultRate) {
      return ended.done(Object.assign(new Error("injected fault"), { code: "EIO", syscall: "fdatasync" }))
    }
    if (ended.number > this.stored.number) this.stored = ended
    ended.done(null)
  }
}

const extentOf = (descriptor: number): Extent => {
  const header = Buffer.alloc(32)
  readSync(descriptor, header, 0, header.length, 0)
  return { salts: header.readBigUInt64BE(16), length: fstatSync(descriptor).size }
}
