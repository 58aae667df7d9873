import { readJson } from "@inlethq/wire/decoding/readJson"
import { describeUnreadable, isGzip, type UnreadableBody } from "@inlethq/wire/decoding/unreadableBody"
import { Result } from "effect"
import { constants, gunzipSync } from "node:zlib"

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses a body as JSON, regardless of its content type (contract §3). JSON of any nesting depth is accepted here,
 * because decoders limit the depth before recursive code sees the value. Only a body that is no JSON is looked at again,
 * to say why and where (contract §4).
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, UnreadableBody> => {
  const text = textOf(bytes)
  const read = text === undefined ? undefined : readJson(text)
  return read !== undefined && Result.isSuccess(read)
    ? Result.succeed(read.success)
    : Result.fail(describeUnreadable(bytes, isGzip(bytes) ? inflatedBeginning(bytes) : undefined))
}

/** Returns the text of a body, or undefined if it is not UTF-8. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a gzip body that are inflated to show its beginning. */
const inflatedFromMax = 4096

/** The largest number of bytes that are inflated from them. */
const inflatedMax = 4 * 1024 * 1024

/** Returns the beginning of what a gzip body holds, or nothing if it cannot be inflated. */
const inflatedBeginning = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes.subarray(0, inflatedFromMax), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: inflatedMax,
    })
  } catch {
    return new Uint8Array(0)
  }
}
