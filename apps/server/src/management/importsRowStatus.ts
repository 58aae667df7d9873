import type { ImportCommand } from "@inlet/api/csv/ImportFile"
import { deduplicationText } from "@inlet/core/values/Identifier"
import { isClaimed } from "@inlet/core/decision/erasure"
import { needsOf } from "@inlet/core/Command"
import { resolvePerson } from "@inlet/core/decision/resolvePerson"
import type { Store } from "@inlet/core/ports/Store"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { Effect } from "effect"

/**
 * The status of a row before it is applied. `repeated` means imported before, and `missing` means an event of a person
 * who does not exist.
 */
export type RowStatus = "fresh" | "repeated" | "missing"

/**
 * Returns the status of each row in a chunk, with one read of the store. Rows that were imported before get no entry in
 * the activity log. Events of unknown people fail, so that they are not stored for an anonymous visitor (track-api §6
 * rule 2). Every chunk must be checked, because rows that were imported before may follow rows that failed or that have
 * expired keys.
 */
export const rowStatusesOf = (store: Store["Service"], commands: ReadonlyArray<ImportCommand>) => {
  if (commands.length === 0) return Effect.succeed([])
  const { deduplication, workspaces } = needsOf(commands)
  const { identifiers, subjects } = needsOf(commands.filter(({ _tag }) => _tag === "RecordEvent"))
  return Effect.map(store.view({ identifiers, subjects, deduplication, workspaces }), (seen) =>
    commands.map((command) => rowStatus(seen, command)),
  )
}

const rowStatus = (seen: WorkingSet, command: ImportCommand): RowStatus => {
  const { deduplicationKey, workspace } = command
  const text = deduplicationKey === null ? null : deduplicationText(workspace.id, deduplicationKey)
  if (text !== null && isClaimed(seen, text)) return "repeated"
  if (command._tag === "IdentifyPerson") return "fresh"
  const isThere =
    command.target !== null && resolvePerson(seen, workspace.id, command.target)._tag === "KnownPerson"
  return isThere ? "fresh" : "missing"
}
