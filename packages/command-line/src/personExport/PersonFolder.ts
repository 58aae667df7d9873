import { createHash, type Hash } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"

/** The file permissions of an export of a person. Only its owner may read it. */
const ownerOnly = 0o600

/** A file of an export, as its manifest lists it. */
export interface ListedFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

interface OpenFile {
  readonly descriptor: number
  readonly hash: Hash
  bytes: number
}

/** The folder of an export of one person. Throws the errors of the file system. */
export class PersonFolder {
  readonly path: string
  private readonly isNew: boolean
  private readonly files = new Map<string, OpenFile>()

  /** Makes the folder, unless it exists and is empty. The caller has checked that. */
  constructor(path: string) {
    this.path = path
    this.isNew = !existsSync(path)
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }

  static isEmpty(path: string): boolean {
    return !existsSync(path) || readdirSync(path).length === 0
  }

  /** Appends to a file. The first call makes it, and fails if somebody else has made it meanwhile. */
  append(name: string, text: string): void {
    const file = this.files.get(name) ?? this.open(name)
    const bytes = Buffer.from(text)
    file.hash.update(bytes)
    file.bytes += bytes.length
    for (let written = 0; written < bytes.length;) written += writeSync(file.descriptor, bytes, written)
  }

  /** The files as they are now. */
  list(): ReadonlyArray<ListedFile> {
    return Array.from(this.files, ([name, { bytes, hash }]) => {
      return { name, bytes, sha256: hash.copy().digest("hex") }
    })
  }

  /** Syncs the files to disk. */
  sync(): void {
    for (const { descriptor } of this.files.values()) fsyncSync(descriptor)
  }

  close(): void {
    for (const { descriptor } of this.files.values()) closeSync(descriptor)
  }

  /** Removes what was written, so that the folder is as it was before. */
  remove(): void {
    for (const name of this.files.keys()) rmSync(join(this.path, name), { force: true })
    if (this.isNew) rmSync(this.path, { recursive: true, force: true })
  }

  private open(name: string): OpenFile {
    const descriptor = openSync(join(this.path, name), "wx", ownerOnly)
    const file = { descriptor, hash: createHash("sha256"), bytes: 0 }
    this.files.set(name, file)
    return file
  }
}
