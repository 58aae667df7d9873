import type { WireCall } from "./Calls.ts"
import { check, type StandardSchema } from "./StandardSchema.ts"

/** The JSON of a call with its length in bytes of UTF-8, or the reason why the call cannot be sent. */
export type EncodedCall =
  | { readonly _tag: "Encoded"; readonly json: string; readonly bytes: number }
  | { readonly _tag: "Invalid"; readonly reason: string }

/**
 * Encodes a call. If the client has a schema for the event of the call, first checks the properties with this schema.
 */
export const encodeCall = (
  call: WireCall,
  schemas: ReadonlyMap<string, StandardSchema>,
  bytesMax: number,
): EncodedCall => {
  const schema = call.type === "track" ? schemas.get(String(call["event"])) : undefined
  if (schema === undefined) return encode(call, bytesMax)
  const checked = check(schema, call["properties"])
  return checked._tag === "Invalid" ? checked : encode({ ...call, properties: checked.value }, bytesMax)
}

const encode = (call: WireCall, bytesMax: number): EncodedCall => {
  try {
    const json = JSON.stringify(call)
    const bytes = utf8Bytes(json)
    return bytes <= bytesMax
      ? { _tag: "Encoded", json, bytes }
      : { _tag: "Invalid", reason: `the call has ${bytes} bytes: expected at most ${bytesMax}` }
  } catch (error) {
    return { _tag: "Invalid", reason: `the call cannot be written as JSON: ${String(error)}` }
  }
}

/**
 * Returns the length of a text in bytes of UTF-8. Surrogates occur only in pairs in the JSON of a call. A pair has 4
 * bytes, so each surrogate counts as 2 bytes.
 */
export const utf8Bytes = (text: string): number => {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
