import { Schema } from "effect"
import { Sequence } from "../values/Identifier.ts"

/** The largest number of events that one entry of the log yields for one webhook. */
export const eventsPerEntryMax = 4

/**
 * Orders the events of a webhook. The position is `eventsPerEntryMax` times the log position of the entry, plus the
 * index of the event among the events of this entry.
 */
export const EventPosition = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(
  Schema.brand("EventPosition"),
)
export type EventPosition = typeof EventPosition.Type

/**
 * Returns the position of a webhook event, given the log position of its entry and the index of the event in that
 * entry. `index` must be less than `eventsPerEntryMax`.
 */
export const eventPosition = (sequence: Sequence, index: number): EventPosition =>
  EventPosition.make(sequence * eventsPerEntryMax + index)

/** Returns the position after all events of an entry and before those of the next entry. Returns 0 for null. */
export const endOfEntry = (sequence: Sequence | null): EventPosition =>
  EventPosition.make(sequence === null ? 0 : sequence * eventsPerEntryMax + eventsPerEntryMax - 1)

/** Returns the log position of the entry of an event. Returns null for a position before the first entry. */
export const sequenceAt = (position: EventPosition): Sequence | null => {
  const sequence = Math.floor(position / eventsPerEntryMax)
  return sequence === 0 ? null : Sequence.make(sequence)
}

/** Returns the index of an event among the events of its entry. */
export const indexAt = (position: EventPosition): number => position % eventsPerEntryMax

/**
 * Returns the log position of the last entry that has no events after the given position. Returns null if even the
 * first entry has events after the given position.
 */
export const lastCompleteEntry = (position: EventPosition): Sequence | null => {
  const sequence = Math.floor((position + 1) / eventsPerEntryMax) - 1
  return sequence < 1 ? null : Sequence.make(sequence)
}

/** Returns the event position directly before the given position. Returns 0 for 0. */
export const positionBefore = (position: EventPosition): EventPosition =>
  EventPosition.make(Math.max(0, position - 1))
