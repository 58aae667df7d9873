import type { DuePerson, HolderRange, Store } from "@inlethq/core/ports/Store"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { Effect } from "effect"
import type { MemoryState } from "./MemoryState.ts"

/** What rules need to know when no request arrives: who is due, what is being built, and for whom. */
export const ruleReads = (
  state: MemoryState["Service"],
): Pick<Store["Service"], "due" | "building" | "holders"> => ({
  due: (now, limit) => Effect.sync(() => duePeople(state, now).slice(0, limit)),
  building: Effect.sync(() =>
    [...state.islands].flatMap(([workspace, { everything }]) =>
      [...everything.subjects.values()]
        .flatMap(({ _tag, key: build }) => (_tag === "RuleBuild" ? [{ workspace, build }] : []))
        .toSorted((a, b) => a.build - b.build),
    ),
  ),
  holders: (workspace, range, limit) =>
    Effect.sync(() => holdersIn(state.islandOf(workspace).everything, range).slice(0, limit)),
})

/** Returns whether there are people or visitors. */
export const hasHolders = ({ subjects }: WorkingSet): boolean =>
  [...subjects.values()].some(({ _tag }) => _tag === "Person" || _tag === "Visitor")

const holdersIn = (
  { subjects }: WorkingSet,
  { after, before, relatedTo }: HolderRange,
): ReadonlyArray<SubjectKey> =>
  [...subjects.values()]
    .filter((subject) => subject._tag === "Person" || subject._tag === "Visitor")
    .filter(({ relationships }) => relatedTo === null || relationships.has(relatedTo))
    .map(({ key }) => key)
    .filter((key) => key > after && key < before)
    .toSorted((a, b) => a - b)

const duePeople = ({ islands }: MemoryState["Service"], now: EpochMillis): ReadonlyArray<DuePerson> => {
  const people: Array<DuePerson> = []
  for (const [workspace, { everything }] of islands) {
    for (const [person, states] of everything.leafStates) {
      const known = [...states].filter(([leaf]) => !everything.subjects.has(leaf))
      const at = Math.min(...known.map(([, { due }]) => due ?? Infinity))
      if (at <= now) people.push({ workspace, person, at })
    }
  }
  return people.toSorted((a, b) => a.at - b.at || a.workspace - b.workspace || a.person - b.person)
}
