import type { NamedSubjects } from "@inlethq/core/catalog/NamedSubjects"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  lookupTexts,
  lookupTypesMax,
  needsTypes,
  wantedSubjects,
  type WantedSubjects,
} from "../search/namedSubjects.ts"
import type { ObjectTypes, ReadQueries } from "./ReadQueries.ts"

const noTypes: ObjectTypes = { types: [], next: null, isCut: false }

/** Finds the entries about the subjects that a filter names. Returns null if the log must be read instead. */
export const readNamed = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  named: NamedSubjects,
): Effect.fn.Return<WantedSubjects | null, E> {
  const found = needsTypes(named) ? yield* ask.objectTypes(workspace, null, lookupTypesMax) : noTypes
  const wanted = lookupTexts(named, found.isCut || found.next !== null ? undefined : found.types)
  if (wanted === undefined) return null
  const lookedUp = yield* ask.keysOf(workspace, { whole: wanted, beginnings: [] }, 0)
  const keys = new Set<SubjectKey>([...named.keys, ...lookedUp])
  return wantedSubjects(named, yield* ask.subjects(workspace, keys))
})
