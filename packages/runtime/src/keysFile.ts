import { makeDirectory } from "@inlethq/storage-sqlite/engine/makeDirectory"
import { Effect, Option } from "effect"
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { join, resolve } from "node:path"

const fileName = "first-start-keys"
const ownerOnly = 0o600

/**
 * Writes the text with the keys of the first start into a file in the data directory, which only its owner can read. Returns the
 * path of the file, or an empty option if it cannot be written.
 */
export const writeKeysFile = (directory: string, text: string): Effect.Effect<Option.Option<string>> =>
  Effect.try(() => {
    makeDirectory(directory)
    const file = resolve(join(directory, fileName))
    rmSync(file, { force: true })
    const descriptor = openSync(file, "wx", ownerOnly)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return file
  }).pipe(Effect.option)
