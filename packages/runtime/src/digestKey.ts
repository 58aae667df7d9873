import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { makeDirectory } from "@inlethq/storage-sqlite/engine/makeDirectory"
import { Digest } from "@inlethq/core/ports/Digest"
import { Effect, Layer } from "effect"
import { digestWith } from "./digestWith.ts"
import { Settings, unusableDirectory } from "./Settings.ts"

/** The name of the file with the digest key. */
export const digestKeyFile = "digest-key"
const keyBytes = 32
const keyPattern = new RegExp(`^[0-9a-f]{${keyBytes * 2}}$`, "i")
const ownerOnly = 0o600

/**
 * The key of all memory stores in this process. The emulator restarts its server with copied data, and the digests in
 * these data must stay valid.
 */
const memoryKey = randomBytes(keyBytes)

/**
 * Digests suppressed identifiers with HMAC-SHA256. The key is in a separate file, so that identifiers cannot be guessed
 * from a copy of the database alone. A key is never generated for an existing database: stored digests would not match
 * the new key, and the server would accept suppressed identifiers again.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDirectory, store } = yield* Settings
    const key =
      store.kind === "memory"
        ? memoryKey
        : yield* Effect.try({
            try: () => keyOf(dataDirectory),
            catch: (cause) => unusableDirectory(dataDirectory, cause),
          })
    return Layer.succeed(Digest, digestWith(key))
  }),
)

/**
 * Returns true if a data directory has a key with its final name. When a server starts for the first time, the key gets
 * this name only after the database was created.
 */
export const isInUse = (directory: string): boolean => existsSync(join(directory, digestKeyFile))

/**
 * Renames the file of a new digest key from its temporary name to its final name. Must be called after the database was
 * created.
 */
export const settle = Effect.gen(function* () {
  const { dataDirectory } = yield* Settings
  const file = join(dataDirectory, digestKeyFile)
  yield* Effect.try({
    try: () => {
      if (existsSync(newName(file))) renameSync(newName(file), file)
    },
    catch: (cause) => unusableDirectory(dataDirectory, cause),
  })
})

/** Returns the key in a data directory, or undefined if the directory has no key. Throws if the file is damaged. */
export const readDigestKey = (directory: string): Buffer | undefined => {
  const file = join(directory, digestKeyFile)
  return existsSync(file) ? readKey(file) : undefined
}

/** Writes a key into a data directory that has no key yet. */
export const writeDigestKey = (directory: string, key: Uint8Array): void =>
  makeKey(directory, join(directory, digestKeyFile), key)

const newName = (file: string) => `${file}.new`

const keyOf = (directory: string): Buffer => {
  const file = join(directory, digestKeyFile)
  if (existsSync(file)) return readKey(file)
  if (!existsSync(newName(file))) {
    if (existsSync(join(directory, "inlet.db"))) {
      throw new Error(`${file} is missing beside inlet.db; restore it from a backup`)
    }
    makeKey(directory, newName(file), randomBytes(keyBytes))
  }
  return readKey(existsSync(file) ? file : newName(file))
}

const readKey = (file: string): Buffer => {
  if (statSync(file).isDirectory()) throw new Error(`${file} is a directory; restore the file from a backup`)
  const text = readFileSync(file, "utf8").trim()
  if (keyPattern.test(text)) return Buffer.from(text, "hex")
  throw new Error(`${file} does not contain ${keyBytes} bytes in hex; restore it from a backup`)
}

/** Writes a key atomically. If another process has written a key first, keeps that key. */
const makeKey = (directory: string, file: string, key: Uint8Array): void => {
  makeDirectory(directory)
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const descriptor = openSync(draft, "wx", ownerOnly)
  try {
    writeSync(descriptor, `${Buffer.from(key).toString("hex")}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (cause) {
    if (!existsSync(file)) throw cause
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
}
