import type { ImportCommand } from "@inlet/api/csv/ImportFile"
import { deduplicationText } from "@inlet/core/values/Identifier"
import { isClaimed } from "@inlet/core/decision/erasure"
import { needsOf } from "@inlet/core/Command"
import { resolve } from "@inlet/core/decision/resolve"
import type { Store } from "@inlet/core/ports/Store"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { Effect } from "effect"

/** What is known of a row before it is applied: nothing, that it was imported before, or that its person is not there. */
export type Standing = "fresh" | "repeated" | "missing"

/**
 * Looks rows up before they are applied, in one read a chunk: those that were imported before leave nothing in the log, and an
 * event of nobody is not kept for whoever may come (track-api §6 rule 2). Every chunk of a file is looked up: what was imported
 * before may stand behind rows that could not be, or whose keys are free again.
 */
export const standingsOf = (store: Store["Service"], commands: ReadonlyArray<ImportCommand>) => {
  if (commands.length === 0) return Effect.succeed([])
  const { deduplication, workspaces } = needsOf(commands)
  const { identifiers, subjects } = needsOf(commands.filter(({ _tag }) => _tag === "RecordEvent"))
  return Effect.map(store.view({ identifiers, subjects, deduplication, workspaces }), (seen) =>
    commands.map((command) => standing(seen, command)),
  )
}

const standing = (seen: WorkingSet, command: ImportCommand): Standing => {
  const { deduplicationKey, workspace } = command
  const text = deduplicationKey === null ? null : deduplicationText(workspace.id, deduplicationKey)
  if (text !== null && isClaimed(seen, text)) return "repeated"
  if (command._tag === "IdentifyPerson") return "fresh"
  const isThere = command.target !== null && resolve(seen, workspace.id, command.target)._tag === "Somebody"
  return isThere ? "fresh" : "missing"
}
