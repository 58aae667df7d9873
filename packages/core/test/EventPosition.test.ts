import { assert, describe, it } from "@effect/vitest"
import { Sequence } from "@inlethq/core/values/Identifier"
import {
  endOfEntry,
  EventPosition,
  eventPosition,
  eventsPerEntryMax,
  indexAt,
  lastCompleteEntry,
  positionBefore,
  sequenceAt,
} from "@inlethq/core/webhook/EventPosition"

describe("the position of an event", () => {
  it("the position of a webhook event contains the log position of the entry and the index of the event in the entry", () => {
    for (const sequence of [1, 2, 77].map((n) => Sequence.make(n))) {
      for (let index = 0; index < eventsPerEntryMax; index++) {
        const position = eventPosition(sequence, index)
        assert.deepStrictEqual([sequenceAt(position), indexAt(position)], [sequence, index])
      }
    }
  })

  it("positions of events are ordered by log entry and then by index in the entry", () => {
    const positions = [1, 2].flatMap((n) => [0, 1, 3].map((index) => eventPosition(Sequence.make(n), index)))
    assert.deepStrictEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    )
    assert.strictEqual(endOfEntry(Sequence.make(1)), positionBefore(eventPosition(Sequence.make(2), 0)))
  })

  it("lastCompleteEntry returns the last log entry that has all of its events at or before a position", () => {
    assert.strictEqual(lastCompleteEntry(EventPosition.make(0)), null)
    assert.strictEqual(lastCompleteEntry(endOfEntry(null)), null)
    assert.strictEqual(lastCompleteEntry(eventPosition(Sequence.make(5), 0)), 4)
    assert.strictEqual(lastCompleteEntry(endOfEntry(Sequence.make(5))), 5)
    assert.strictEqual(sequenceAt(EventPosition.make(0)), null)
  })
})
