import { because, type Why } from "../texts/because.ts"
import { applyBeforeSend, type BeforeSend } from "./beforeSend.ts"
import type { WireCall } from "./Calls.ts"
import { check, type StandardSchema } from "./StandardSchema.ts"

/** The JSON of a call with its length in bytes of UTF-8, or the reason why the call cannot be sent. */
export type EncodedCall =
  | { readonly _tag: "Encoded"; readonly json: string; readonly bytes: number }
  | { readonly _tag: "Invalid"; readonly why: Why }
  /** `beforeSend` returned null. */
  | { readonly _tag: "Discarded"; readonly why: Why }

/** What a client does with a call before it queues the call. */
export interface Encoding {
  readonly schemas: ReadonlyMap<string, StandardSchema>
  readonly bytesMax: number
  /** Default values of the `context` of each call. */
  readonly context?: object | undefined
  readonly beforeSend?: BeforeSend | undefined
}

/**
 * Encodes a call: adds the default context, calls `beforeSend`, and checks the properties of an event with its schema. The
 * schema comes last, so that no event is sent that does not fit.
 */
export const encodeCall = (call: WireCall, encoding: Encoding): EncodedCall => {
  const { beforeSend, bytesMax, context, schemas } = encoding
  const whole = context === undefined ? call : withContext(call, context)
  const changed = beforeSend === undefined ? undefined : applyBeforeSend(beforeSend, whole)
  if (changed !== undefined && changed._tag !== "Changed") return changed
  const sent = changed?.call ?? whole
  const schema = sent.type === "track" ? schemas.get(String(sent["event"])) : undefined
  if (schema === undefined) return encode(sent, bytesMax)
  const checked = check(schema, sent["properties"])
  return checked._tag === "Invalid" ? checked : encode({ ...sent, properties: checked.value }, bytesMax)
}

/** A context that is not an object stays as it is, so that the server can refuse it. */
const withContext = (call: WireCall, defaults: object): WireCall => {
  const given = call["context"] ?? {}
  return typeof given === "object" ? { ...call, context: { ...defaults, ...given } } : call
}

const encode = (call: WireCall, bytesMax: number): EncodedCall => {
  try {
    const json = JSON.stringify(call)
    const bytes = utf8Bytes(json)
    return bytes <= bytesMax
      ? { _tag: "Encoded", json, bytes }
      : { _tag: "Invalid", why: because("callTooLarge", { bytes, max: bytesMax }) }
  } catch (error) {
    return { _tag: "Invalid", why: because("callNotJson", { reason: String(error) }) }
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
