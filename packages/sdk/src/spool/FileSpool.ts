import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { makeDirectory } from "./makeDirectory.ts"
import type { Spool, StoredCalls } from "./Spool.ts"

export interface FileSpoolOptions {
  /**
   * The directory of the files. The directory is created if it is missing. Each running client needs its own directory.
   */
  readonly directory: string
  /** The largest number of bytes of all files together. 100 MB by default. */
  readonly bytesMax?: number
}

const defaultBytesMax = 100 * 1024 * 1024

/** The largest number of calls in one file. The limit is small, because a file is read as a whole. */
const fileCallsMax = 1000

/** The size, in bytes, at which a file gets no more calls. */
const fileBytesMax = 1024 * 1024

/** Only the owner of a file can read the file, because the calls in the file can contain personal data. */
const fileMode = 0o600

const extension = ".ndjson"

interface OpenFile {
  readonly name: string
  readonly descriptor: number
  calls: number
  bytes: number
}

/**
 * Keeps undelivered calls in files of JSON lines. The files survive the end of the process, and the next client with
 * the same directory sends the calls in them.
 */
export class FileSpool implements Spool {
  readonly #directory: string
  readonly #bytesMax: number
  readonly #returned = new Set<string>()
  #bytes = 0
  #made = 0
  #file: OpenFile | undefined

  /** Throws if the directory cannot be created or read. */
  constructor({ bytesMax = defaultBytesMax, directory }: FileSpoolOptions) {
    this.#directory = directory
    this.#bytesMax = bytesMax
    makeDirectory(directory)
    this.#bytes = this.#measured()
  }

  keep(json: string): boolean {
    const line = Buffer.from(`${json}\n`)
    try {
      this.#forgetRemoved()
      if (this.#bytes + line.length > this.#bytesMax) return false
      const file = (this.#file ??= this.#create())
      this.#append(file, line)
      file.calls++
      file.bytes += line.length
      this.#bytes += line.length
      if (file.calls >= fileCallsMax || file.bytes >= fileBytesMax) this.#complete()
      return true
    } catch {
      return false
    }
  }

  next(): StoredCalls | undefined {
    this.#complete()
    const name = this.#names().find((known) => !this.#returned.has(known))
    if (name === undefined) return undefined
    this.#returned.add(name)
    return { calls: this.#read(name), remove: () => this.#remove(name) }
  }

  /**
   * The name of a file begins with the time of its creation. Therefore files sorted by name are in the order of their
   * calls.
   */
  #create(): OpenFile {
    const time = String(Date.now()).padStart(15, "0")
    const name = `${time}-${String(this.#made++).padStart(6, "0")}${extension}`
    return { name, descriptor: openSync(join(this.#directory, name), "a", fileMode), calls: 0, bytes: 0 }
  }

  /** If the open file was removed, perhaps with its directory, nothing more is written to it, and its bytes are free. */
  #forgetRemoved(): void {
    if (this.#file === undefined || fstatSync(this.#file.descriptor).nlink > 0) return
    this.#complete()
    // Without the directory, which cannot be read then, there are no other files either.
    this.#bytes = 0
    this.#bytes = this.#measured()
  }

  /** Appends a line whole or not at all, so that the next line does not continue a part of it. */
  #append({ bytes, descriptor }: OpenFile, line: Buffer): void {
    try {
      for (let written = 0; written < line.length;) written += writeSync(descriptor, line, written)
    } catch (error) {
      this.#cut(descriptor, bytes)
      throw error
    }
  }

  #cut(descriptor: number, bytes: number): void {
    try {
      ftruncateSync(descriptor, bytes)
    } catch {
      this.#complete()
    }
  }

  #complete(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) closeSync(file.descriptor)
  }

  #names(): ReadonlyArray<string> {
    return readdirSync(this.#directory)
      .filter((name) => name.endsWith(extension))
      .toSorted()
  }

  /** Returns the bytes of all files. */
  #measured(): number {
    return this.#names().reduce((sum, name) => sum + this.#size(name), 0)
  }

  /** Returns the size of a file, or 0 if it is missing. */
  #size(name: string): number {
    return statSync(join(this.#directory, name), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Returns the calls in a file. Leaves out a line that is incomplete because of a crash. */
  #read(name: string): ReadonlyArray<string> {
    try {
      return readFileSync(join(this.#directory, name), "utf8").split("\n").filter(isCall)
    } catch {
      return []
    }
  }

  #remove(name: string): void {
    const bytes = this.#size(name)
    rmSync(join(this.#directory, name), { force: true })
    this.#bytes -= bytes
    this.#returned.delete(name)
  }
}

const isCall = (line: string): boolean => {
  try {
    return typeof JSON.parse(line).messageId === "string"
  } catch {
    return false
  }
}
