import { Effect } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
  second,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, load, personBy, sweepAll } from "../script/scenario.ts"

const dayMs = 24 * 60 * 60 * 1000

/** Creates the first two workspaces, and sets the retention and the lake of the first workspace. */
const keepFor = Effect.fnUntraced(function* (retentionDays: number | null, lake: Workspace["lake"] = null) {
  const registry = yield* Registry
  const { id: _1, ...settings } = first
  const { id: _2, ...others } = second
  yield* registry.createWorkspace({ ...settings, retentionDays, lake })
  yield* registry.createWorkspace(others)
})

const names = (workspace = first) =>
  Effect.map(activity({ kind: "event" }, { workspace }), (views) => views.map(({ name }) => name))

/** The positions that are left in the log, and the last one that pruning has passed. */
const kept = Effect.gen(function* () {
  const views = yield* activity()
  const prunedTo = yield* Catalog.use((catalog) => catalog.prunedTo(first.id))
  return { positions: views.map(({ sequence }) => Number(sequence)), prunedTo: Number(prunedTo) }
})

/** The properties that every store must have when the retention of events ends. */
export const retentionLaws: ReadonlyArray<Law<Store | Catalog | Snapshots | Registry | LogCursors>> = [
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
      yield* registry.updateWorkspace(first, { ...first, retentionDays: 30 })
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
  {
    name: "contract §16 held retention: keeps entries for seven more days if the lake has not read them",
    check: Effect.gen(function* () {
      yield* keepFor(100, { target: "folder", url: "/lake", erasureDays: 7 })
      const cursors = yield* LogCursors
      const store = yield* Store
      const ago = (days: number) => ({ receivedAt: noon - days * dayMs })
      yield* apply(
        identify(byId("ada"), [["plan", "free"]], ago(108)),
        event(byId("ada"), "deleted although it was not read", ago(108)),
        event(byId("ada"), "held", ago(101)),
        identify(byId("bob"), [], ago(101)),
        event(byId("bob"), "erased", ago(101)),
        identify(byId("ada"), [["plan", "pro"]], ago(38)),
        identify(byId("ada"), [["plan", "free"]], ago(31)),
        identify(byId("ada"), [["plan", "pro"]], ago(1)),
      )
      yield* apply(identify(byId("ada"), [], { in: second, ...ago(31) }))
      yield* cursors.advance({ workspace: first.id, destination: "kafka" }, Sequence.make(8), null)
      yield* cursors.advance(lakeCursor(second.id), Sequence.make(1), null)
      yield* sweepAll(noon)
      yield* expectSame("without a reader", yield* kept, { positions: [3, 5, 7, 8], prunedTo: 6 })
      yield* expectSame("a workspace without a lake", yield* activity({}, { workspace: second }), [])
      yield* apply(remove(byId("bob"), { receivedAt: noon }))
      yield* sweepAll(noon)
      yield* expectSame("erasures do not wait", yield* kept, { positions: [3, 7, 8, 9], prunedTo: 6 })
      yield* expectSame("another step", yield* store.sweep(noon), { entries: 0, done: true })
      yield* cursors.advance(lakeCursor(first.id), Sequence.make(3), null)
      yield* sweepAll(noon)
      yield* expectSame("what was read first", yield* kept, { positions: [7, 8, 9], prunedTo: 6 })
      yield* sweepAll(noon + 6 * dayMs)
      yield* expectSame("six days later", yield* kept, { positions: [7, 8, 9], prunedTo: 6 })
      yield* cursors.advance(lakeCursor(first.id), Sequence.make(7), null)
      yield* sweepAll(noon)
      yield* expectSame("once it is read", yield* kept, { positions: [8, 9], prunedTo: 7 })
    }),
  },
]
