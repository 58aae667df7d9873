import { createHmac, randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { Digest } from "@inlet/core/Digest"
import { Effect, Layer } from "effect"
import { Settings, unusableDirectory } from "./Settings.ts"

const keyFileName = "digest-key"
const keyBytes = 32
const ownerOnly = 0o600

/**
 * Digests suppressed identifiers with HMAC-SHA256. The key stands in a file of its own, so that who has the database alone
 * cannot try out identifiers; without the file suppressed identifiers would be free again, so it is never made anew beside
 * a database.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDirectory, store } = yield* Settings
    const key =
      store === "memory"
        ? randomBytes(keyBytes)
        : yield* Effect.try({
            try: () => keyOf(dataDirectory),
            catch: (cause) => unusableDirectory(dataDirectory, cause),
          })
    return Digest.layer((text) => createHmac("sha256", key).update(text).digest("hex"))
  }),
)

const keyOf = (directory: string): Buffer => {
  const file = join(directory, keyFileName)
  if (!existsSync(file)) makeKey(directory, file)
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "hex")
  if (key.length !== keyBytes) throw new Error(`${keyFileName} is damaged; restore it from a backup`)
  return key
}

/** Makes a key, whole or not at all; where another process was faster, its key counts. */
const makeKey = (directory: string, file: string): void => {
  if (existsSync(join(directory, "inlet.db"))) {
    throw new Error(`it holds a database and no ${keyFileName}; restore the file from a backup`)
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const descriptor = openSync(draft, "wx", ownerOnly)
  try {
    writeSync(descriptor, `${randomBytes(keyBytes).toString("hex")}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (cause) {
    if (!existsSync(file)) throw cause
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
}
