import type { ImportCommand } from "@inlethq/wire/csv/ImportFile"
import { isClaimed } from "@inlethq/core/decision/erasure"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { resolvePerson } from "@inlethq/core/decision/resolvePerson"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { Effect } from "effect"

/**
 * The status of a row before it is applied. A `repeated` row was imported before. A `missing` row is an event of a
 * person who does not exist. All other rows are `fresh`.
 */
type RowStatus = "fresh" | "repeated" | "missing"

/** The status of a row, and the position of its entry if it is repeated. */
export interface RowState {
  readonly status: RowStatus
  readonly sequence: Sequence | null
}

/**
 * Returns the state of each row in a chunk, with one read of the store. Repeated rows are not applied, so they get no
 * entry in the activity log. Events of unknown people fail, so that they are not stored for an anonymous visitor
 * (track-api §6 rule 2). Must be called for every chunk of a file. An earlier chunk without repeated rows does not
 * prove that later chunks have none. For example, the rows of the earlier chunk may have failed in a previous import of
 * the file, or their deduplication keys may have expired.
 */
export const rowStatesOf = (
  store: Store["Service"],
  commands: ReadonlyArray<ImportCommand>,
): Effect.Effect<ReadonlyArray<RowState>, StoreUnavailable> => {
  const workspace = commands[0]?.workspace.id
  if (workspace === undefined) return Effect.succeed([])
  const deduplication = new Set(commands.flatMap(({ deduplicationKey: key }) => (key === null ? [] : [key])))
  const events = commands.filter(({ _tag }) => _tag === "RecordEvent")
  return Effect.map(store.view({ ...needsOf(workspace, events), deduplication }), (seen) =>
    commands.map((command) => {
      const status = rowStatus(seen, command)
      const key = status === "repeated" ? command.deduplicationKey : null
      return { status, sequence: key === null ? null : (seen.claimed.get(key)?.sequence ?? null) }
    }),
  )
}

/** Returns which deduplication keys are known, with one read of the store. */
export const knownAmong = (
  store: Store["Service"],
  workspace: WorkspaceId,
  keys: ReadonlyArray<string>,
): Effect.Effect<ReadonlySet<string>, StoreUnavailable> =>
  Effect.map(
    store.view({ ...needsOf(workspace, []), deduplication: new Set(keys) }),
    (seen) => new Set(keys.filter((key) => isClaimed(seen, key))),
  )

const isKnown = (seen: WorkingSet, { deduplicationKey }: Command): boolean =>
  deduplicationKey !== null && isClaimed(seen, deduplicationKey)

const rowStatus = (seen: WorkingSet, command: ImportCommand): RowStatus => {
  if (isKnown(seen, command)) return "repeated"
  if (command._tag === "IdentifyPerson") return "fresh"
  const isThere = command.target !== null && resolvePerson(seen, command.target)._tag === "KnownPerson"
  return isThere ? "fresh" : "missing"
}
