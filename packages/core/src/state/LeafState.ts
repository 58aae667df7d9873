import { Schema } from "effect"
import { Sequence, type SubjectKey } from "../values/Identifier.ts"

/** Something that happened to a person and that a leaf of a rule counts. */
export const Counted = Schema.Struct({
  /** The time at which it counts: its own time, or its receipt if the client's clock was ahead. */
  at: Schema.Int,
  receivedAt: Schema.Int,
  /** The position of the log entry that recorded it. */
  position: Sequence,
})
export type Counted = typeof Counted.Type

/**
 * The newest occurrences that a leaf counts for one person or visitor, newest first. A leaf that asks for n occurrences
 * needs no more than the n newest, so a ring is exact and small, in whatever order the occurrences arrive.
 */
export const Ring = Schema.Array(Counted)
export type Ring = typeof Ring.Type

/** What is stored about one leaf and one person or visitor. */
export const LeafState = Schema.Struct({
  ring: Ring,
  /**
   * The time at which the leaf is evaluated without any request, because its truth may change then; null if time changes
   * nothing. It may be early: requests never move it to a later time.
   */
  due: Schema.NullOr(Schema.Int),
})
export type LeafState = typeof LeafState.Type

export const emptyLeafState: LeafState = { ring: [], due: null }

/** The states of a person's or visitor's leaves, by the keys of the leaves. */
export type LeafStates = ReadonlyMap<SubjectKey, LeafState>
