import type { NamedSubjects } from "@inlet/core/catalog/NamedSubjects"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import {
  lookupTexts,
  lookupTypesMax,
  needsTypes,
  wantedSubjects,
  type WantedSubjects,
} from "../namedSubjects.ts"
import type { ReadQueries } from "./ReadQueries.ts"

/** Finds the entries about the subjects that a filter names. Returns null if the log must be read instead. */
export const readNamed = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  named: NamedSubjects,
): Effect.fn.Return<WantedSubjects | null, E> {
  const types = needsTypes(named) ? yield* ask.objectTypes(workspace, lookupTypesMax) : []
  const wanted = lookupTexts(named, types)
  if (wanted === undefined) return null
  const found = yield* ask.keysOf(workspace, { whole: wanted, beginnings: [] }, 0)
  const keys = new Set<SubjectKey>([...named.keys, ...found])
  return wantedSubjects(named, yield* ask.subjects(workspace, keys))
})
