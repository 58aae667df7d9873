import type { ImportCommand } from "@inlet/api/csv/ImportFile"
import { deduplicationText } from "@inlet/core/Identifier"
import { needsOf, type Needs } from "@inlet/core/Needs"
import { resolve } from "@inlet/core/Resolution"
import type { Store } from "@inlet/core/Store"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { Effect } from "effect"

/** What is known of a row before it is applied: nothing, that it was imported before, or that its person is not there. */
export type Standing = "fresh" | "repeated" | "missing"

const none: Needs = { identifiers: new Set(), subjects: new Set(), deduplication: new Set() }

/**
 * Looks rows up before they are applied, in one read a chunk: those that were imported before leave nothing in the log, and an
 * event of nobody is not kept for whoever may come (track-api §6.2).
 */
export class Standings {
  private readonly store: Store["Service"]
  /** What was imported before is the beginning of a file: behind it there is nothing to look up. */
  private mayRepeat = true

  constructor(store: Store["Service"]) {
    this.store = store
  }

  of(commands: ReadonlyArray<ImportCommand>) {
    const events = commands.filter((command) => command._tag === "RecordEvent")
    if (events.length === 0 && !this.mayRepeat) return Effect.succeed(commands.map(() => "fresh" as const))
    const { identifiers, subjects } = events.length === 0 ? none : needsOf(events)
    const { deduplication } = this.mayRepeat ? needsOf(commands) : none
    return Effect.map(this.store.load({ identifiers, subjects, deduplication }), (seen) => {
      this.mayRepeat = seen.claimed.size > 0
      return commands.map((command) => standing(seen, command))
    })
  }
}

const standing = (seen: WorkingSet, command: ImportCommand): Standing => {
  const { deduplicationKey, workspace } = command
  const text = deduplicationKey === null ? null : deduplicationText(workspace.id, deduplicationKey)
  if (text !== null && seen.claimed.has(text)) return "repeated"
  if (command._tag === "IdentifyPerson") return "fresh"
  const isThere = command.target !== null && resolve(seen, workspace.id, command.target)._tag === "Somebody"
  return isThere ? "fresh" : "missing"
}
