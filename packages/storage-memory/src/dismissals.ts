import { Dismissals, dismissalsMax, type Dismissal } from "@inlethq/core/ports/Dismissals"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Stores in memory which pairs of people were dismissed. */
export const dismissals = Layer.effect(
  Dismissals,
  Effect.map(MemoryState, ({ dismissed, islands }) => {
    /** Returns the dismissals of a workspace, and forgets those of people who were deleted. */
    const known = (workspace: WorkspaceId): Array<Dismissal> => {
      const subjects = islands.get(workspace)?.everything.subjects
      const isThere = (key: SubjectKey) => (subjects?.get(key)?._tag ?? "Erased") !== "Erased"
      const left = (dismissed.get(workspace) ?? []).filter(({ one, other }) => isThere(one) && isThere(other))
      dismissed.set(workspace, left)
      return left
    }
    return Dismissals.of({
      save: (workspace, dismissal) =>
        Effect.sync(() => {
          const { one, other } = dismissal
          const all = known(workspace)
          const countOf = (key: SubjectKey) => all.filter((pair) => hasKey(pair, key)).length
          if (countOf(one) >= dismissalsMax || countOf(other) >= dismissalsMax) return false
          if (!all.some((pair) => pair.one === one && pair.other === other)) all.push(dismissal)
          return true
        }),
      remove: (workspace, { one, other }) =>
        Effect.sync(() => {
          const all = known(workspace)
          const left = all.filter((pair) => pair.one !== one || pair.other !== other)
          dismissed.set(workspace, left)
          return left.length < all.length
        }),
      of: (workspace, person) =>
        Effect.sync(
          () =>
            new Set(
              known(workspace).flatMap((pair) =>
                hasKey(pair, person) ? [pair.one === person ? pair.other : pair.one] : [],
              ),
            ),
        ),
      list: (workspace, { after, limit }) =>
        Effect.sync(() => {
          const later = known(workspace)
            .toSorted(byKeys)
            .filter((pair) => after === null || byKeys(pair, after) > 0)
          const items = later.slice(0, limit)
          return { items, next: later.length > limit ? (items.at(-1) ?? null) : null }
        }),
    })
  }),
)

type Keys = Pick<Dismissal, "one" | "other">

const hasKey = ({ one, other }: Keys, key: SubjectKey): boolean => one === key || other === key

const byKeys = (a: Keys, b: Keys): number => a.one - b.one || a.other - b.other
