import { Effect } from "effect"
import { Registry } from "@inlet/core/ports/Registry"
import { Store } from "@inlet/core/ports/Store"
import {
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  identifyObject,
  noon,
  objectOf,
  second,
} from "./commands.ts"
import { expectSame, type Law } from "./Law.ts"
import { activity, apply, load, personBy, sweepAll } from "./scenario.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Creates the first two workspaces, and sets the retention of the first workspace. */
const keepFor = Effect.fnUntraced(function* (retentionDays: number | null) {
  const registry = yield* Registry
  const { id: _1, ...settings } = first
  const { id: _2, ...others } = second
  yield* registry.createWorkspace({ ...settings, retentionDays })
  yield* registry.createWorkspace(others)
})

const names = (workspace = first) =>
  Effect.map(activity({ kind: "event" }, { workspace }), (views) => views.map(({ name }) => name))

/** The properties that every store must have when the retention of events ends. */
export const retentionLaws: ReadonlyArray<Law> = [
  {
    name: "contract §8 retention: deletes entries that are older than the retention of their workspace",
    check: Effect.gen(function* () {
      yield* keepFor(100)
      const old = { receivedAt: noon - 101 * dayMs }
      yield* apply(
        identify(byId("ada"), [["plan", "pro"]], old),
        event(byId("ada"), "old", { ...old, deduplicationKey: "old" }),
        event(byAnonymousId("cookie"), "pending", old),
        identifyObject(objectOf("1", "acme"), [], [[byId("ada")], [byId("bob")]], old),
        event(byId("ada"), "new", { receivedAt: noon - 99 * dayMs, deduplicationKey: "new" }),
      )
      yield* apply(event(byId("ada"), "elsewhere", { ...old, in: second }))
      yield* sweepAll(noon)
      yield* expectSame("events", yield* names(), ["new"])
      yield* expectSame("events of another workspace", yield* names(second), ["elsewhere"])
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("attributes stay", ada?.attributes.get("plan")?.value, "pro")
      const { claimed, nextSequence } = yield* load({ deduplication: new Set(["old", "new"]) })
      yield* expectSame("deduplication keys", [...claimed.keys()], ["new"])
      yield* expectSame("positions are not used again", Number(nextSequence), 6)
      yield* apply(event(byId("ada"), "again", { deduplicationKey: "old", receivedAt: noon }))
      yield* expectSame("events afterwards", yield* names(), ["new", "again"])
    }),
  },
  {
    name: "contract §8 retention: deletes a long log in bounded steps, and nothing if the workspace has no retention",
    check: Effect.gen(function* () {
      yield* keepFor(null)
      const store = yield* Store
      const registry = yield* Registry
      const receivedAt = noon - 50 * dayMs
      const events = Array.from({ length: 9000 }, (_, i) =>
        event(byId("ada"), `event ${i % 3}`, { receivedAt }),
      )
      for (let i = 0; i < events.length; i += 1500) yield* apply(...events.slice(i, i + 1500))
      yield* apply(event(byId("ada"), "new", { receivedAt: noon }))
      yield* sweepAll(noon)
      const kept = yield* activity({ name: "event 1" }, { limit: 1000 })
      yield* expectSame("kept without a retention", kept.length, 3000)
      yield* registry.updateWorkspace({ ...first, retentionDays: 30 })
      let entries = 0
      for (let done = false; !done;) {
        const swept = yield* store.sweep(noon)
        yield* expectSame("entries of a step are bounded", swept.entries <= 1000, true)
        entries += swept.entries
        done = swept.done
      }
      yield* expectSame("deleted entries", entries, 9000)
      yield* expectSame("remaining events", yield* names(), ["new"])
      yield* expectSame("found by name", (yield* activity({ name: "event 1" })).length, 0)
      yield* expectSame("another step", yield* store.sweep(noon), { entries: 0, done: true })
    }),
  },
]
