import { createPublicKey, verify } from "node:crypto"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { digestKeyId, ErasureReceipt } from "@inlet/api/management/Erasures"
import type { Digest } from "@inlet/core/ports/Digest"
import { digestsOf } from "@inlet/core/ports/Digest"
import { identifierText } from "@inlet/core/values/Identifier"
import { receiptKey } from "@inlet/http/management/erasures/receiptKey"
import { Effect, Schema } from "effect"
import { readDigestKey } from "../digestKey.ts"
import { BackupRefused } from "./BackupRefused.ts"
import { backupTexts } from "./backupTexts.ts"
import { digestWith } from "./digestWith.ts"

export interface VerifyOptions {
  /** The file with the text of the receipt. Its signature is in `receipt.sig` beside it. */
  readonly receipt: string
  readonly identifiers: ReadonlyArray<string>
  /** The data directory whose digest key signed the receipt, and whose files are searched. */
  readonly directory: string
  /** Further files and directories to search, such as backups. */
  readonly others: ReadonlyArray<string>
}

/** A place where the bytes of an identifier were found. */
export interface FoundPlace {
  readonly file: string
  readonly offset: number
  /** How the identifier is written there, such as `UTF-16`. */
  readonly form: string
}

export interface VerifiedErasure {
  /** Whether the receipt is about each identifier. */
  readonly about: ReadonlyArray<{ readonly text: string; readonly isAbout: boolean }>
  readonly files: number
  readonly bytes: number
  readonly places: ReadonlyArray<FoundPlace>
}

/** The number of bytes that are searched at once. */
const chunkBytes = 4 * 1024 * 1024

/** The largest compressed file that is also searched unpacked. */
const gzipBytesMax = 256 * 1024 * 1024

/** The largest number of places that are listed. */
const placesMax = 1000

/** Checks the signature of a receipt, and searches files for the bytes of identifiers. Changes nothing. */
export const verifyErasure = (options: VerifyOptions): Effect.Effect<VerifiedErasure, BackupRefused> =>
  Effect.try({
    try: () => verified(options),
    catch: (cause) => {
      const problem = cause instanceof Error ? cause.message : String(cause)
      return new BackupRefused({ problem: backupTexts.notVerified({ file: options.receipt, problem }) })
    },
  })

const verified = ({ directory, identifiers, others, receipt }: VerifyOptions): VerifiedErasure => {
  const key = readDigestKey(directory)
  if (key === undefined) throw new Error(`${directory} has no digest-key`)
  const digest = digestWith(key)
  const signed = readReceipt(receipt, digest)
  const wanted = identifiers.flatMap(formsOf)
  const files = [directory, ...others].flatMap(filesIn)
  const places: Array<FoundPlace> = []
  let bytes = 0
  for (const file of files) bytes += searchFile(file, wanted, places)
  return {
    about: identifiers.map((text) => aboutIn(signed, digest, text)),
    files: files.length,
    bytes,
    places,
  }
}

const decodeReceipt = Schema.decodeUnknownSync(Schema.fromJsonString(ErasureReceipt))

const readReceipt = (file: string, digest: Digest["Service"]): ErasureReceipt => {
  const text = readFileSync(file)
  const receipt = decodeReceipt(text.toString("utf8"))
  if (receipt.key_id !== digestKeyId(digest)) throw new Error("another installation has signed it")
  const signature = readFileSync(join(dirname(file), "receipt.sig"))
  if (!verify(null, text, createPublicKey(receiptKey(digest)), signature)) {
    throw new Error("its signature is wrong")
  }
  return receipt
}

const aboutIn = (
  { environment_id, identifiers }: ErasureReceipt,
  digest: Digest["Service"],
  text: string,
) => {
  const own = digestsOf(digest, environment_id)
  const isAbout = (["id", "email", "anonymous_id"] as const).some((kind) =>
    identifiers.includes(own(identifierText(kind, text))),
  )
  return { text, isAbout }
}

interface Form {
  readonly name: string
  readonly bytes: Buffer
}

/** The ways in which files may hold a text. */
const formsOf = (text: string): ReadonlyArray<Form> => {
  const found = new Map<string, Form>()
  const add = (name: string, bytes: Buffer) => {
    const known = bytes.toString("latin1")
    if (bytes.length > 0 && !found.has(known)) found.set(known, { name, bytes })
  }
  for (const [spelling, suffix] of [
    [text, ""],
    [text.toLowerCase(), " in lower case"],
  ] as const) {
    add(`plain${suffix}`, Buffer.from(spelling))
    add(`escaped in JSON${suffix}`, Buffer.from(JSON.stringify(spelling).slice(1, -1)))
    add(`escaped in JSON${suffix}`, Buffer.from(asciiJson(spelling)))
    add(`escaped in a URL${suffix}`, Buffer.from(encodeURIComponent(spelling)))
    add(`UTF-16${suffix}`, Buffer.from(spelling, "utf16le"))
    add(`UTF-16, big endian${suffix}`, Buffer.from(spelling, "utf16le").swap16())
  }
  return [...found.values()]
}

/** JSON with escapes in place of all characters outside ASCII. */
const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

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
  const isGzip = size > 2 && size <= gzipBytesMax && buffer.length > 0 && startsLikeGzip(file)
  if (isGzip) search(gunzipSync(readFileSync(file)), 0, 0, file, ", compressed", forms, places)
  return size
}

const startsLikeGzip = (file: string): boolean => {
  const start = Buffer.alloc(2)
  const descriptor = openSync(file, "r")
  readSync(descriptor, start, 0, 2, 0)
  closeSync(descriptor)
  return start.readUInt16BE(0) === 0x1f8b
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
