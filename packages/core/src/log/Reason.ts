import { Schema } from "effect"

/** What fills the placeholders of a text, by their names. */
export const TextValues = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))
export type TextValues = typeof TextValues.Type

export const noValues: TextValues = {}

/**
 * Why an operation was not applied, or a part of it was left out, as a fact. A sentence is made from it only when somebody
 * reads it, so a text can be reworded without touching what is stored.
 */
export const Reason = Schema.Struct({
  /** The text that says it, by a name that never changes. `docs/errors.md` lists all. */
  code: Schema.String,
  /** The path of the value at fault in the item, joined by dots. Empty if the reason is about the whole operation. */
  field: Schema.String,
  values: TextValues,
})
export type Reason = typeof Reason.Type

export const noReasons: ReadonlyArray<Reason> = []
