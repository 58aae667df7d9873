import { createHmac, randomBytes } from "node:crypto"
import { Digest } from "@inlet/core/Digest"
import { Effect, FileSystem, Layer, Path } from "effect"
import { Settings } from "./Settings.ts"

const keyFileName = "digest-key"
const keyBytes = 32
const ownerOnly = 0o600

/**
 * Digests suppressed identifiers with HMAC-SHA256. The key stands in a file of its own, so that who has the database alone
 * cannot try out identifiers; without the file suppressed identifiers would be free again, so it belongs into a backup.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDirectory, store } = yield* Settings
    const key = store === "memory" ? randomBytes(keyBytes) : yield* keptKey(dataDirectory)
    return Digest.layer((text) => createHmac("sha256", key).update(text).digest("hex"))
  }),
)

const keptKey = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(directory, keyFileName)
  if (yield* files.exists(file)) {
    const kept = Buffer.from((yield* files.readFileString(file)).trim(), "hex")
    if (kept.length === keyBytes) return kept
  }
  const made = randomBytes(keyBytes)
  yield* files.makeDirectory(directory, { recursive: true, mode: 0o700 })
  yield* files.writeFileString(file, `${made.toString("hex")}\n`, { mode: ownerOnly })
  return made
})
