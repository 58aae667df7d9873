import { Schema } from "effect"
import { utf8Bytes } from "../values/Json.ts"
import { shortened } from "./RefusedValue.ts"

/** Why a value was read differently than it was sent. `keptTexts` has a sentence for each. */
export const KeptReason = Schema.Literals([
  "not_boolean",
  "topic_text",
  "unknown_topic_text",
  "rounded",
  "characters",
  "data_beside_attributes",
  "flat_field",
  "flat_field_repeated",
  "not_an_object",
])
export type KeptReason = typeof KeptReason.Type

/** A value that an operation read differently than it was sent (contract §16 *values read otherwise*). */
export const KeptValue = Schema.Struct({
  /** The path of the value in the item, joined by dots. */
  path: Schema.String,
  /** The value as sent. Of an integer that lost digits, and of broken characters, the text as it stood in the request. */
  sent: Schema.Json,
  /** The bytes of the whole value as JSON if `sent` is only its beginning, as text; null if `sent` is whole. */
  cutFrom: Schema.NullOr(Schema.Int),
  /** What was stored. Null if nothing was. */
  kept: Schema.Json,
  why: KeptReason,
})
export type KeptValue = typeof KeptValue.Type

/** The largest number of values read otherwise that one log entry keeps. */
export const keptValuesMax = 50

/** The largest number of bytes that the values read otherwise of one log entry may have together. Further values are left out. */
const keptBytesMax = 16 * 1024

/** What a decoder says about a value that it read differently than it was sent. */
export type ReadOtherwise = Omit<KeptValue, "cutFrom">

/** Returns what a log entry keeps of values that were read otherwise. */
export const keptValues = (read: ReadonlyArray<ReadOtherwise>): ReadonlyArray<KeptValue> => {
  const all: Array<KeptValue> = []
  let room = keptBytesMax
  for (const { kept, path, sent, why } of read.slice(0, keptValuesMax)) {
    const { cutFrom, value } = shortened(sent)
    const one = { path, sent: value, cutFrom, kept: shortened(kept).value, why }
    room -= utf8Bytes(JSON.stringify([one.sent, one.kept]))
    all.push(room >= 0 ? one : { ...one, sent: null, kept: null })
  }
  return all
}
