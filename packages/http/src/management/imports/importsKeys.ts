import type { ImportKind } from "@inlethq/wire/csv/ImportFile"
import { innerKey } from "@inlethq/core/values/deduplicationKeys"
import { createHash, type Hash } from "node:crypto"

/** The number of Base64 characters to which digests are shortened (132 bits). */
const digestCharacters = 22

/** The deduplication keys and the digest of one block of an imported file. */
export interface BlockKeys {
  /** The prefix that the deduplication keys of the block's rows share. */
  readonly rows: string
  /** The digest of the file up to the end of the block. */
  readonly digest: string
  /** The name under which the store registers the digest of the block. Null if the upload has no `Idempotency-Key`. */
  readonly part: string | null
}

/**
 * Derives keys for the blocks and rows of a file from the file's content. When the same file is imported again, its
 * rows have the same keys, so an interrupted import resumes and no row is added twice. The key of a row contains the
 * digest of the file from its beginning to the end of the row's block. This digest is known once the block was read, so
 * the file is read only once.
 */
export class ImportKeys {
  private readonly kind: ImportKind
  private readonly key: string | undefined
  private readonly read: Hash = createHash("sha256")
  private blocks = 0

  constructor(kind: ImportKind, key: string | undefined) {
    this.kind = kind
    this.key = key
  }

  /** Reads the next block of the file. Returns the block's digest and the prefix of its rows' deduplication keys. */
  next(block: Uint8Array): BlockKeys {
    this.read.update(block)
    const digest = this.read.copy().digest("base64url").slice(0, digestCharacters)
    const number = this.blocks++
    return this.key === undefined
      ? { rows: innerKey(`csv:${this.kind}:${digest}`), digest, part: null }
      : {
          rows: innerKey(`csv:${this.kind}:${this.key}:${digest}`),
          digest,
          part: `${this.kind}:${this.key}:${number}`,
        }
  }
}
