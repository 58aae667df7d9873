import {
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs"
import { endianness } from "node:os"

/**
 * The end of a commit in the write-ahead log, as a number of frames. `round` counts how often the log has started over.
 */
export interface LogPosition {
  readonly round: number
  readonly frames: number
}

/** Returns whether the commit `one` is the commit `other` or precedes it. */
export const isAtMost = (one: LogPosition, other: LogPosition): boolean =>
  one.round < other.round || (one.round === other.round && one.frames <= other.frames)

/** Syncs a file, like `fdatasync` of `node:fs`. */
export type Sync = (descriptor: number, done: (error: Error | null) => void) => void

/**
 * Byte offsets and lengths in SQLite's write-ahead log, and in the index of the log in shared memory. SQLite documents
 * both formats.
 */
const headerBytes = 32
const pageBytesAt = 8
const saltsAt = 16
const frameHeaderBytes = 24
const indexSaltsAt = 32
const indexAttemptedAt = 128
const indexBytes = 132

/** The largest number of bytes of the write-ahead log that are copied at once. */
const copiedBytesMax = 1024 * 1024

/**
 * SQLite's write-ahead log. SQLite writes the file. This class reads and syncs the file, and cuts the file after a
 * failed sync.
 */
export class LogFile {
  private readonly file: string
  private readonly slots: number
  private readonly sync: Sync
  private readonly header = Buffer.alloc(headerBytes)
  private descriptors: ReadonlyArray<number> = []
  private indexDescriptor: number | undefined
  private salts = 0n
  private round = 0

  /** `file` is the database file. Up to `slots` syncs can run at the same time. */
  constructor(file: string, slots: number, sync: Sync = fdatasync) {
    this.file = file
    this.slots = slots
    this.sync = sync
  }

  /**
   * Opens the file of the write-ahead log, which a connection must have created already. Blocks until the content of
   * the file is on disk.
   */
  open(): void {
    const opened: Array<number> = []
    this.descriptors = opened
    // Linux reports a failed write once for each open file description. Therefore each slot opens the file for itself.
    // If slots shared a file description, a sync could succeed because another sync had already received the error.
    for (let slot = 0; slot < this.slots; slot++) opened.push(openSync(`${this.file}-wal`, "r+"))
    fsyncSync(this.first)
  }

  close(): void {
    for (const descriptor of this.descriptors) closeSync(descriptor)
    this.descriptors = []
    if (this.indexDescriptor !== undefined) closeSync(this.indexDescriptor)
    this.indexDescriptor = undefined
  }

  /** Returns the position of the last commit, given the number of frames in the write-ahead log. */
  position(frames: number): LogPosition {
    const isWritten = readSync(this.first, this.header, 0, headerBytes, 0) === headerBytes
    // The salts in the header change whenever the write-ahead log starts over.
    const salts = isWritten ? this.header.readBigUInt64BE(saltsAt) : 0n
    if (salts !== this.salts) {
      this.salts = salts
      this.round++
    }
    return { round: this.round, frames: isWritten ? frames : 0 }
  }

  /**
   * Syncs the write-ahead log. Everything that was committed before the call is durable once `done` is called without
   * an error.
   */
  startSync(slot: number, done: (error: Error | null) => void): void {
    this.sync(this.descriptors[slot] ?? this.first, done)
  }

  /**
   * Removes all commits after the commit `durable` from the write-ahead log. Commits that a checkpoint may have copied
   * into the database file are not removed. Returns the position of the last remaining commit. Blocks until the log is
   * on disk. Must not run during a checkpoint.
   */
  cut(durable: LogPosition): LogPosition {
    const { round } = this.position(0)
    const durableFrames = durable.round === round ? durable.frames : 0
    const frames = this.framesToKeep(durableFrames)
    // A checkpoint syncs the write-ahead log before it copies pages. If that sync failed, the operating system may have
    // dropped the frames, although a later sync succeeds. Therefore write the frames again before the sync below.
    this.rewrite(this.bytesOf(durableFrames), this.bytesOf(frames))
    ftruncateSync(this.first, this.bytesOf(frames))
    fsyncSync(this.first)
    return { round, frames }
  }

  /** Returns the size of the write-ahead log's file as a number of frames. */
  frames(): number {
    const size = statSync(`${this.file}-wal`, { throwIfNoEntry: false })?.size ?? 0
    return size === 0 ? 0 : (size - headerBytes) / this.frameBytes
  }

  private get first(): number {
    const [first] = this.descriptors
    if (first === undefined) throw new Error("the write-ahead log is closed")
    return first
  }

  private get frameBytes(): number {
    return frameHeaderBytes + this.header.readUInt32BE(pageBytesAt)
  }

  private bytesOf(frames: number): number {
    return frames === 0 ? 0 : headerBytes + frames * this.frameBytes
  }

  private framesToKeep(durableFrames: number): number {
    // Closing the file `-shm` would drop locks of SQLite, so the file stays open until the connections are closed.
    this.indexDescriptor ??= openSync(`${this.file}-shm`, "r")
    const index = Buffer.alloc(indexBytes)
    readSync(this.indexDescriptor, index, 0, indexBytes, 0)
    // When SQLite starts the log over, SQLite writes new salts first to the index of the log and later to the log. If
    // the two salts differ, SQLite is starting the log over, and the database file already contains the whole log.
    if (index.readBigUInt64BE(indexSaltsAt) !== this.salts) return 0
    const attempted =
      endianness() === "LE" ? index.readUInt32LE(indexAttemptedAt) : index.readUInt32BE(indexAttemptedAt)
    return Math.max(durableFrames, attempted)
  }

  private rewrite(from: number, to: number): void {
    const buffer = Buffer.alloc(Math.min(Math.max(to - from, 0), copiedBytesMax))
    for (let at = from; at < to;) {
      const bytes = readSync(this.first, buffer, 0, Math.min(buffer.length, to - at), at)
      if (bytes === 0) return
      writeSync(this.first, buffer, 0, bytes, at)
      at += bytes
    }
  }
}
