import { createPublicKey, verify } from "node:crypto"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { digestKeyId, ErasureReceipt } from "@inlethq/contract/transfer/Erasures"
import type { Digest } from "@inlethq/core/ports/Digest"
import { digestsOf } from "@inlethq/core/ports/Digest"
import { identifierText } from "@inlethq/core/values/Identifier"
import { receiptKey } from "@inlethq/http/management/erasures/receiptKey"
import { readValues } from "@inlethq/lake/thread/readValues"
import { Effect, Schema } from "effect"
import { readDigestKey } from "../digestKey.ts"
import { BackupRefused } from "./BackupRefused.ts"
import { backupTexts } from "./backupTexts.ts"
import { digestWith } from "../digestWith.ts"
import { formsOf, placesMax, type Form, type FoundPlace } from "./searchForms.ts"
import { searchPages } from "./searchPages.ts"

export interface VerifyOptions {
  /** The file with the text of the receipt. Its signature is in `receipt.sig` beside it. */
  readonly receipt: string
  readonly identifiers: ReadonlyArray<string>
  /**
   * The data directory whose digest key signed the receipt, and whose files are searched. Null with PostgreSQL: then the
   * public key is `key.pem` beside the receipt, and only `others` are searched.
   */
  readonly directory: string | null
  /** Further files and directories to search, such as backups. */
  readonly others: ReadonlyArray<string>
}

export interface VerifiedErasure {
  /** Whether the receipt is about each identifier; null if the digest key is not here, which only a data directory has. */
  readonly about: ReadonlyArray<{ readonly text: string; readonly isAbout: boolean | null }>
  /** Where copies may be that the erasure did not reach, as the receipt says. */
  readonly notCovered: ReadonlyArray<string>
  readonly files: number
  readonly bytes: number
  readonly places: ReadonlyArray<FoundPlace>
}

/** The number of bytes that are searched at once. */
const chunkBytes = 4 * 1024 * 1024

/** The largest compressed file that is also searched unpacked. */
const gzipBytesMax = 256 * 1024 * 1024

/** Checks the signature of a receipt, and searches files for the bytes of identifiers. Changes nothing. */
export const verifyErasure = (options: VerifyOptions): Effect.Effect<VerifiedErasure, BackupRefused> =>
  Effect.tryPromise({
    try: () => verified(options),
    catch: (cause) => {
      const problem = cause instanceof Error ? cause.message : String(cause)
      return new BackupRefused({ problem: backupTexts.notVerified({ file: options.receipt, problem }) })
    },
  })

const verified = async ({
  directory,
  identifiers,
  others,
  receipt,
}: VerifyOptions): Promise<VerifiedErasure> => {
  const digest = directory === null ? null : digestIn(directory)
  const signed = readReceipt(receipt, digest)
  const wanted = identifiers.flatMap(formsOf)
  const files = [...(directory === null ? [] : [directory]), ...others].flatMap(filesIn)
  const places: Array<FoundPlace> = []
  let bytes = 0
  for (const file of files) {
    bytes += searchFile(file, wanted, places)
    searchPages(file, wanted, places)
    await searchLake(file, wanted, places)
  }
  return {
    about: identifiers.map((text) => aboutIn(signed, digest, text)),
    notCovered: signed.not_covered,
    files: files.length,
    bytes,
    places,
  }
}

const digestIn = (directory: string): Digest["Service"] => {
  const key = readDigestKey(directory)
  if (key === undefined) throw new Error(`${directory} has no digest-key`)
  return digestWith(key)
}

const decodeReceipt = Schema.decodeUnknownSync(Schema.fromJsonString(ErasureReceipt))

const readReceipt = (file: string, digest: Digest["Service"] | null): ErasureReceipt => {
  const text = readFileSync(file)
  const receipt = decodeReceipt(text.toString("utf8"))
  if (digest !== null && receipt.key_id !== digestKeyId(digest)) {
    throw new Error("another installation has signed it")
  }
  const signature = readFileSync(join(dirname(file), "receipt.sig"))
  const key = createPublicKey(
    digest === null ? readFileSync(join(dirname(file), "key.pem")) : receiptKey(digest),
  )
  if (!verify(null, text, key, signature)) throw new Error("its signature is wrong")
  return receipt
}

const aboutIn = (
  { environment_id, identifiers }: ErasureReceipt,
  digest: Digest["Service"] | null,
  text: string,
) => {
  if (digest === null) return { text, isAbout: null }
  const own = digestsOf(digest, environment_id)
  const isAbout = (["id", "email", "anonymous_id"] as const).some((kind) =>
    identifiers.includes(own(identifierText(kind, text))),
  )
  return { text, isAbout }
}

const filesIn = (path: string): ReadonlyArray<string> => {
  if (!existsSync(path)) throw new Error(`${path} does not exist`)
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Searches one file, and its contents if it is compressed. Returns its length in bytes. */
const searchFile = (file: string, forms: ReadonlyArray<Form>, places: Array<FoundPlace>): number => {
  const overlap = Math.max(0, ...forms.map(({ bytes }) => bytes.length - 1))
  const buffer = Buffer.alloc(chunkBytes + overlap)
  const descriptor = openSync(file, "r")
  try {
    let kept = 0
    for (let position = 0; ;) {
      const read = readSync(descriptor, buffer, kept, chunkBytes, position)
      if (read === 0) break
      search(buffer.subarray(0, kept + read), position - kept, kept, file, "", forms, places)
      position += read
      const next = Math.min(overlap, kept + read)
      buffer.copy(buffer, 0, kept + read - next, kept + read)
      kept = next
    }
  } finally {
    closeSync(descriptor)
  }
  const { size } = statSync(file)
  const isGzip = size > 2 && size <= gzipBytesMax && buffer.length > 0 && startOf(file, 2) === "\x1f\x8b"
  if (isGzip) search(gunzipSync(readFileSync(file)), 0, 0, file, ", compressed", forms, places)
  return size
}

/** Searches the values of a Parquet file, whose pages are compressed. Does nothing with any other file. */
const searchLake = async (
  file: string,
  forms: ReadonlyArray<Form>,
  places: Array<FoundPlace>,
): Promise<void> => {
  if (startOf(file, parquetMark.length) !== parquetMark) return
  for await (const values of readValues(file)) {
    search(Buffer.from(values), 0, 0, file, ", in the values of a Parquet file", forms, places)
  }
}

const parquetMark = "PAR1"

const startOf = (file: string, length: number): string => {
  const start = Buffer.alloc(length)
  const descriptor = openSync(file, "r")
  const read = readSync(descriptor, start, 0, length, 0)
  closeSync(descriptor)
  return start.toString("latin1", 0, read)
}

/** Adds the places of a chunk. A place that ends in the first `kept` bytes was found with the chunk before. */
const search = (
  chunk: Buffer,
  start: number,
  kept: number,
  file: string,
  suffix: string,
  forms: ReadonlyArray<Form>,
  places: Array<FoundPlace>,
): void => {
  for (const { bytes, name } of forms) {
    for (
      let at = chunk.indexOf(bytes);
      at >= 0 && places.length < placesMax;
      at = chunk.indexOf(bytes, at + 1)
    ) {
      if (at + bytes.length <= kept) continue
      places.push({ file, offset: start + at, form: `${name}${suffix}` })
    }
  }
}
