import {
  DestinationHours,
  destinationHoursKept,
  type DestinationHour,
} from "@inlethq/core/ports/DestinationHours"
import { Registry } from "@inlethq/core/ports/Registry"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { noon, workspaceOf } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const w = WorkspaceId.make(1)

const hourOf = (hour: number, over: Partial<DestinationHour> = {}): DestinationHour => ({
  destination: "webhook:one",
  hour,
  entries: 3,
  lagEntries: 5,
  lagMs: 700,
  ...over,
})

const { id: _, ...settings } = workspaceOf(1)

/** The properties that every store must have in keeping how destinations did. */
export const destinationHourLaws: ReadonlyArray<Law<DestinationHours | Registry>> = [
  {
    name: "the hours of a destination add up entries, and keep the greatest lags",
    check: Effect.gen(function* () {
      const hours = yield* DestinationHours
      yield* hours.add(w, [])
      yield* hours.add(w, [hourOf(100), hourOf(101, { lagMs: 0 }), hourOf(101, { destination: "kafka" })])
      yield* hours.add(w, [hourOf(101, { entries: 4, lagEntries: 1, lagMs: 9 })])
      const sum = hourOf(101, { entries: 7, lagMs: 9 })
      yield* expectSame("all", yield* hours.since(w, "webhook:one", 100), [hourOf(100), sum])
      yield* expectSame("the newest", yield* hours.since(w, "webhook:one", 101), [sum])
      yield* expectSame("another destination", yield* hours.since(w, "kafka", 0), [
        hourOf(101, { destination: "kafka" }),
      ])
      yield* expectSame("another workspace", yield* hours.since(WorkspaceId.make(2), "kafka", 0), [])
    }),
  },
  {
    name: `a workspace keeps ${destinationHoursKept} hours of its destinations, also of those that are gone`,
    check: Effect.gen(function* () {
      const hours = yield* DestinationHours
      const gone = "forward:gone \u0000"
      yield* hours.add(w, [
        hourOf(99, { destination: gone }),
        hourOf(100, { destination: gone }),
        hourOf(100),
      ])
      yield* hours.add(WorkspaceId.make(2), [hourOf(1)])
      yield* hours.add(w, [hourOf(100 + destinationHoursKept)])
      yield* expectSame("of one that is gone", yield* hours.since(w, gone, 0), [
        hourOf(100, { destination: gone }),
      ])
      yield* expectSame(
        "of one that is there",
        (yield* hours.since(w, "webhook:one", 0)).map(({ hour }) => hour),
        [100, 100 + destinationHoursKept],
      )
      yield* expectSame("elsewhere", yield* hours.since(WorkspaceId.make(2), "webhook:one", 0), [hourOf(1)])
    }),
  },
  {
    name: "nothing is kept of the destinations of a deleted workspace",
    check: Effect.gen(function* () {
      const hours = yield* DestinationHours
      const registry = yield* Registry
      const { id: workspace } = yield* registry.createWorkspace(settings)
      yield* registry.createWorkspace(settings)
      yield* registry.deleteWorkspace(workspace, noon)
      yield* hours.add(workspace, [hourOf(100)])
      yield* expectSame("after the deletion", yield* hours.since(workspace, "webhook:one", 0), [])
    }),
  },
]
