import { createHash } from "node:crypto"
import { open, type FileHandle } from "node:fs/promises"
import { Schema } from "effect"

/*
 * A backup is one file: the database, then the other files of the data directory as one line of JSON, then one line of
 * fixed length with the length of the JSON and the SHA-256 of all bytes before that line. SQLite opens the file as it
 * is.
 */

const format = "inlet-backup-1"
const lengthDigits = 10
const digestDigits = 64
const trailerBytes = format.length + 1 + lengthDigits + 1 + digestDigits + 1
const trailerShape = new RegExp(`^${format} (\\d{${lengthDigits}}) ([0-9a-f]{${digestDigits}})\n$`)

const chunkBytes = 1024 * 1024

/** The contents of a data directory besides its database. */
export const BackupContents = Schema.Struct({
  /** The time at which the backup began, in ISO 8601. */
  created_at: Schema.String,
  database_bytes: Schema.Int,
  digest_key: Schema.String,
  management_token: Schema.NullOr(Schema.String),
})
export type BackupContents = typeof BackupContents.Type

const Contents = Schema.fromJsonString(BackupContents)
const encodeContents = Schema.encodeSync(Contents)
const decodeContents = Schema.decodeUnknownSync(Contents)

/** The contents of a backup, and the digest of all bytes before its last line. */
export interface BackupTrailer {
  readonly contents: BackupContents
  readonly digest: string
  /** The number of bytes that the digest covers, from the beginning of the file. */
  readonly coveredBytes: number
}

type Report = (bytes: number, total: number) => void

/**
 * Appends the other files of the data directory and the line with the digest to a file that has only the database.
 * Makes the file durable.
 */
export const completeBackup = async (
  path: string,
  contents: Omit<BackupContents, "database_bytes">,
  report: Report,
): Promise<BackupTrailer> => {
  const file = await open(path, "r+")
  try {
    const { size } = await file.stat()
    const json = Buffer.from(`${encodeContents({ ...contents, database_bytes: size })}\n`)
    const hash = createHash("sha256")
    await eachChunk(file, size, (chunk, read) => {
      hash.update(chunk)
      report(read, size)
    })
    const digest = hash.update(json).digest("hex")
    const length = String(json.length).padStart(lengthDigits, "0")
    await file.write(Buffer.concat([json, Buffer.from(`${format} ${length} ${digest}\n`)]), 0, null, size)
    await file.sync()
    const coveredBytes = size + json.length
    return { contents: { ...contents, database_bytes: size }, digest, coveredBytes }
  } finally {
    await file.close()
  }
}

/** Reads the end of a backup. Returns undefined if the file is not a backup, or if the end of the file is missing. */
export const readTrailer = async (file: FileHandle): Promise<BackupTrailer | undefined> => {
  const { size } = await file.stat()
  if (size < trailerBytes) return undefined
  const match = trailerShape.exec((await bytesAt(file, size - trailerBytes, trailerBytes)).toString("latin1"))
  const length = Number(match?.[1])
  const digest = match?.[2]
  const coveredBytes = size - trailerBytes
  if (digest === undefined || length > coveredBytes || length > chunkBytes) return undefined
  const json = await bytesAt(file, coveredBytes - length, length)
  try {
    return { contents: decodeContents(json.toString("utf8")), digest, coveredBytes }
  } catch {
    return undefined
  }
}

/**
 * Copies the database of a backup into a new file, and makes the file durable. Returns false if the bytes of the backup
 * do not have the digest that its last line states.
 */
export const extractDatabase = async (
  backup: FileHandle,
  { contents, coveredBytes, digest }: BackupTrailer,
  path: string,
  report: Report,
): Promise<boolean> => {
  const target = await open(path, "w", 0o600)
  try {
    const hash = createHash("sha256")
    await eachChunk(backup, coveredBytes, async (chunk, read) => {
      hash.update(chunk)
      const start = read - chunk.length
      const own = chunk.subarray(0, Math.max(0, contents.database_bytes - start))
      if (own.length > 0) await target.writeFile(own)
      report(read, coveredBytes)
    })
    await target.sync()
    return hash.digest("hex") === digest
  } finally {
    await target.close()
  }
}

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/**
 * Reads the first `length` bytes of a file in chunks. Calls `use` with each chunk and with the number of bytes read so
 * far, including this chunk.
 */
const eachChunk = async (
  file: FileHandle,
  length: number,
  use: (chunk: Buffer, read: number) => void | Promise<void>,
): Promise<void> => {
  const buffer = Buffer.alloc(chunkBytes)
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, length - read), read)
    if (bytesRead === 0) throw new Error("the file became shorter while it was read")
    read += bytesRead
    await use(buffer.subarray(0, bytesRead), read)
  }
}
