import type { ImportKind } from "@inlet/api/csv/ImportFile"
import { createHash, type Hash } from "node:crypto"

/** Characters of a digest that are kept: more than 128 bits. */
const digestCharacters = 22

/**
 * Names the rows of a file so that the same file again adds nothing, and one that broke off goes on where it stopped: by the
 * upload's own key, else by the digest of the file up to the end of the block in which a row stands. So the digest of a
 * file that is one block is that of the whole file, and a larger one need not be read twice.
 */
export class RowKeys {
  private readonly kind: ImportKind
  private readonly key: string | undefined
  private readonly read: Hash = createHash("sha256")

  constructor(kind: ImportKind, key: string | undefined) {
    this.kind = kind
    this.key = key
  }

  /** What the keys of the rows of the next block begin with. */
  next(block: Uint8Array): string {
    if (this.key !== undefined) return `csv:${this.kind}:${this.key}`
    this.read.update(block)
    return `csv:${this.kind}:${this.read.copy().digest("base64url").slice(0, digestCharacters)}`
  }
}
