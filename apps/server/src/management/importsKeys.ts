import type { ImportKind } from "@inlet/api/csv/ImportFile"
import { createHash, type Hash } from "node:crypto"

/** Characters of a digest that are kept: more than 128 bits. */
const digestCharacters = 22

/** How a block of a file is known. */
export interface BlockNames {
  /** What the deduplication keys of its rows begin with. */
  readonly rows: string
  /** The digest of the file up to the end of the block. */
  readonly digest: string
  /** The name that the block is registered under, if the upload has a key of its own. */
  readonly part: string | null
}

/**
 * Names the blocks of a file and their rows, so that the same file again adds nothing, and an import that broke off resumes.
 * Rows are known by the digest of the file up to the end of their block, so a large file need not be read twice.
 */
export class RowKeys {
  private readonly kind: ImportKind
  private readonly key: string | undefined
  private readonly read: Hash = createHash("sha256")
  private blocks = 0

  constructor(kind: ImportKind, key: string | undefined) {
    this.kind = kind
    this.key = key
  }

  /** Returns the names of the next block. */
  next(block: Uint8Array): BlockNames {
    this.read.update(block)
    const digest = this.read.copy().digest("base64url").slice(0, digestCharacters)
    const number = this.blocks++
    return this.key === undefined
      ? { rows: `csv:${this.kind}:${digest}`, digest, part: null }
      : { rows: `csv:${this.kind}:${this.key}:${digest}`, digest, part: `${this.kind}:${this.key}:${number}` }
  }
}
