import {
  DestinationHours,
  destinationHoursKept,
  type DestinationHour,
} from "@inlethq/core/ports/DestinationHours"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Stores in memory how destinations did, hour by hour. */
export const destinationHours = Layer.effect(
  DestinationHours,
  Effect.map(MemoryState, ({ deleted, hours: stored }) =>
    DestinationHours.of({
      add: (workspace, hours) =>
        Effect.sync(() => {
          if (deleted.has(workspace)) return
          const newest = Math.max(...hours.map(({ hour }) => hour))
          const kept = (stored.get(workspace) ?? []).filter(
            ({ hour }) => hour >= newest - destinationHoursKept,
          )
          stored.set(workspace, hours.reduce(added, kept))
        }),
      since: (workspace, destination, from) =>
        Effect.sync(() =>
          (stored.get(workspace) ?? [])
            .filter((one) => one.destination === destination && one.hour >= from)
            .toSorted((a, b) => a.hour - b.hour),
        ),
    }),
  ),
)

const added = (
  known: ReadonlyArray<DestinationHour>,
  more: DestinationHour,
): ReadonlyArray<DestinationHour> => {
  const isSame = (one: DestinationHour) => one.destination === more.destination && one.hour === more.hour
  const before = known.find(isSame)
  if (before === undefined) return [...known, more]
  const sum: DestinationHour = {
    ...more,
    entries: before.entries + more.entries,
    lagEntries: Math.max(before.lagEntries, more.lagEntries),
    lagMs: Math.max(before.lagMs, more.lagMs),
  }
  return known.map((one) => (one === before ? sum : one))
}
