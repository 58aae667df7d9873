import type { Sequence, SubjectKey } from "@inlet/core/Identifier"
import { integer, text } from "./columns.ts"
import type { Database } from "./Database.ts"
import { sequenceOf } from "./entries.ts"
import { subjectKey } from "./subjects.ts"

/** Numbers about everything, which only grow, whatever is deleted. */
export interface Counters {
  readonly nextKey: SubjectKey
  readonly nextSequence: Sequence
  /** The newest entry that pruning has looked at. */
  readonly prunedTo: number
  /** Steps that erased something, and how many of them the last scrubbing of the whole file came after. */
  readonly erasures: number
  readonly scrubbed: number
  /** Runs of the timeline that are complete. */
  readonly indexedRuns: number
}

export const readCounters = (database: Database): (() => Counters) => {
  const statement = database.prepareByPlace("SELECT name, value FROM counters")
  return () => {
    const values = new Map(statement.all().map((row) => [text(row[0]), integer(row[1])]))
    return {
      nextKey: subjectKey(values.get("nextKey") ?? 1),
      nextSequence: sequenceOf(values.get("nextSequence") ?? 1),
      prunedTo: values.get("prunedTo") ?? 0,
      erasures: values.get("erasures") ?? 0,
      scrubbed: values.get("scrubbed") ?? 0,
      indexedRuns: values.get("indexedRuns") ?? 0,
    }
  }
}

export const raiseCounter = (database: Database): ((name: keyof Counters, to: number) => void) => {
  const statement = database.prepare(
    "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
  )
  return (name, to) => void statement.run(name, to)
}
