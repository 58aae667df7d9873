import { Schema } from "effect"
import { Sequence } from "../values/Identifier.ts"

/** What housekeeping has erased in the rows of a workspace because of one record of the ledger, beside the profile. */
export const ErasedRows = Schema.Struct({
  /** Entries of events, which are gone. */
  events: Schema.Int,
  /** Other entries about the person, and reports on deliveries to them, which have lost their content. */
  entries: Schema.Int,
  /** Parts about the person in entries about somebody or something else, such as a person they were merged into. */
  mentions: Schema.Int,
  /** Places in deliveries that named the person as a recipient, or gave their address. */
  deliveries: Schema.Int,
  /** Excerpts of what webhook receivers answered to these entries. */
  answers: Schema.Int,
  /** The position of the first of these entries, or null if there is none. */
  from: Schema.NullOr(Sequence),
  /** The position of the last of these entries, or null if there is none. */
  to: Schema.NullOr(Sequence),
})
export type ErasedRows = typeof ErasedRows.Type

export const noErasedRows: ErasedRows = {
  events: 0,
  entries: 0,
  mentions: 0,
  deliveries: 0,
  answers: 0,
  from: null,
  to: null,
}

/** Returns what two steps of an erasure have erased together. */
export const addErasedRows = (one: ErasedRows, other: ErasedRows): ErasedRows => ({
  events: one.events + other.events,
  entries: one.entries + other.entries,
  mentions: one.mentions + other.mentions,
  deliveries: one.deliveries + other.deliveries,
  answers: one.answers + other.answers,
  from: one.from === null || (other.from !== null && other.from < one.from) ? other.from : one.from,
  to: one.to === null || (other.to !== null && other.to > one.to) ? other.to : one.to,
})
