import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { identifierText, svcIdKey, svcIdText, SubjectKey } from "@inlethq/core/values/Identifier"
import { Store } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { decideInSlices } from "@inlethq/core/Batch"
import { needsOf } from "@inlethq/core/CommandTable"
import { expectSame, type Law } from "../script/Law.ts"
import {
  addDevice,
  byId,
  bySvcId,
  event,
  first,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
  report,
  second,
  suppress,
  workspaceOf,
} from "../script/commands.ts"
import { createSegment } from "../script/segmentCommands.ts"
import { activity, apply, load, people, personBy, sweepAll } from "../script/scenario.ts"

const ada = { kind: "id", value: "ada" } as const
const elsewhere = { in: second }

const positions = (entries: ReadonlyArray<{ readonly sequence: number }>) =>
  entries.map(({ sequence }) => sequence)

/** Returns the next free key for a person or object and the next log position of a workspace. */
const nextIn = ({ id }: Workspace) =>
  Effect.map(load({ workspace: id }), ({ nextKey, nextSequence }) => [nextKey, nextSequence])

/**
 * Returns commands for one workspace. The commands of two workspaces differ only in `plan`, which is used as an
 * attribute value and as the name of an event.
 */
const commandsIn = (workspace: Workspace, plan: string) => [
  identify(byId("ada"), [["plan", plan]], { in: workspace, deduplicationKey: "same" }),
  identifyObject(objectOf("1", "acme"), [["plan", plan]], [[byId("ada")]], { in: workspace }),
  addDevice(byId("ada"), "phone", [["plan", plan]], { in: workspace }),
  report("delivery", "opened", { in: workspace }),
  event(byId("ada"), plan, { in: workspace }),
]

/** The data that a reader of a workspace sees after the commands of `commandsIn`. */
const expected = (workspace: Workspace, plan: string) => ({
  person: [SubjectKey.make(1), plan, workspace.id],
  device: plan,
  object: [plan, 1],
  reports: 1,
  events: [plan],
})

const digestIn = ({ id }: Workspace) =>
  Effect.map(load({ workspace: id }), ({ digest }) => digest(identifierText("id", "ada")))

/**
 * The properties that every store must have in the handling of workspaces: the data of one workspace never depend on
 * another workspace.
 */
export const workspaceLaws: ReadonlyArray<Law> = [
  {
    name: "the positions of a workspace are contiguous, even if batches of other workspaces come between its batches",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), event(byId("ada"), "one"))
      yield* apply(identify(byId("ada"), [], elsewhere))
      yield* apply(event(byId("ada"), "two"))
      yield* apply(event(byId("ada"), "three", elsewhere), event(byId("ada"), "four", elsewhere))
      yield* apply(event(byId("ada"), "five"))
      yield* expectSame("in the first workspace", positions(yield* activity()), [1, 2, 3, 4])
      yield* expectSame(
        "in the second workspace",
        positions(yield* activity({}, { workspace: second })),
        [1, 2, 3],
      )
    }),
  },
  {
    name: "each workspace counts its own subject keys",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), createSegment("segment"))
      const { entries } = yield* apply(
        identify(byId("cyd"), [], elsewhere),
        createSegment("segment", elsewhere),
      )
      yield* expectSame(
        "keys",
        entries.map(({ subject }) => subject),
        [SubjectKey.make(1), SubjectKey.make(2)],
      )
      yield* expectSame("next in the first workspace", yield* nextIn(first), [4, 4])
      yield* expectSame("next in the second workspace", yield* nextIn(second), [3, 3])
      yield* expectSame("next in a new workspace", yield* nextIn(workspaceOf(7)), [1, 1])
    }),
  },
  {
    name: "two workspaces can use the same identifiers, objects, devices, deliveries and deduplication keys independently",
    check: Effect.gen(function* () {
      const { entries } = yield* apply(...commandsIn(first, "one"), ...commandsIn(second, "two"))
      yield* expectSame(
        "outcomes",
        entries.map(({ outcome }) => outcome),
        [...outcomes, ...outcomes],
      )
      const catalog = yield* Catalog
      const seenIn = (workspace: Workspace) =>
        Effect.gen(function* () {
          const person = yield* personBy(ada, workspace)
          const object = Option.getOrNull(yield* catalog.object(workspace.id, "1", "acme"))
          const delivery = Option.getOrNull(yield* catalog.delivery(workspace.id, "delivery"))
          return {
            person: [person?.key, person?.attributes.get("plan")?.value, person?.workspace],
            device: person?.devices.get("phone")?.attributes.get("plan")?.value,
            object: [object?.object.attributes.get("plan")?.value, object?.peopleTotal],
            reports: delivery?.delivery.metrics.get("opened")?.count,
            events: (yield* activity({ person }, { workspace })).flatMap(({ kind, name }) =>
              kind === "event" ? [name] : [],
            ),
          }
        })
      yield* expectSame("in the first workspace", yield* seenIn(first), expected(first, "one"))
      yield* expectSame("in the second workspace", yield* seenIn(second), expected(second, "two"))
    }),
  },
  {
    name: "deleting and suppressing a person does not affect a person with the same key and identifiers in another workspace",
    check: Effect.gen(function* () {
      const bought = { deduplicationKey: "one", data: { price: 7 } }
      yield* apply(identify(byId("ada")), event(byId("ada"), "bought", bought))
      yield* apply(
        identify(byId("ada"), [["plan", "pro"]], elsewhere),
        event(byId("ada"), "bought", { ...bought, ...elsewhere }),
      )
      const before = yield* activity({}, { workspace: second })
      yield* apply(suppress(byId("ada")), remove(bySvcId(1)))
      yield* sweepAll(noon + 1000)
      yield* expectSame("people of the first workspace", yield* people(), [])
      yield* expectSame("plan", (yield* personBy(ada, second))?.attributes.get("plan")?.value, "pro")
      yield* expectSame("activity", yield* activity({}, { workspace: second }), before)
      const { entries } = yield* apply(event(byId("ada"), "bought", { ...bought, ...elsewhere }))
      yield* expectSame("a repeated event", entries[0]?.outcome, "duplicate")
      const loaded = yield* load({
        workspace: second.id,
        identifiers: new Set([identifierText("id", "ada")]),
      })
      yield* expectSame("suppressed in the second workspace", loaded.suppressed.size, 0)
    }),
  },
  {
    name: "the same identifier has different digests in two workspaces",
    check: Effect.gen(function* () {
      const [one, other] = [yield* digestIn(first), yield* digestIn(second)]
      yield* expectSame("equal digests", one === other, false)
      yield* expectSame("the digest of the same text", yield* digestIn(first), one)
    }),
  },
  {
    name: "a svc_id of another workspace is unknown",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("ada"), [], elsewhere))
      const svcId = svcIdText(second.id, SubjectKey.make(1))
      const { entries } = yield* apply(
        event({ _tag: "BySvcId", key: svcIdKey(first.id, svcId) ?? null }, "bought"),
        event(bySvcId(1), "bought"),
      )
      yield* expectSame(
        "outcomes",
        entries.map(({ outcome }) => outcome),
        ["dropped", "applied"],
      )
    }),
  },
  {
    name: "a batch that contains a command of another workspace is not committed",
    check: Effect.gen(function* () {
      const commands = [identify(byId("ada")), identify(byId("ada"), [], elsewhere)]
      const store = yield* Store
      const exit = yield* Effect.exit(
        Effect.flatten(store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands))),
      )
      yield* expectSame("result", exit._tag, "Failure")
      yield* expectSame("people of the first workspace", yield* people(), [])
      yield* expectSame("people of the second workspace", yield* people(null, { workspace: second }), [])
    }),
  },
  {
    name: "housekeeping reaches every workspace, even if another workspace always has work",
    check: Effect.gen(function* () {
      const store = yield* Store
      const names = Array.from({ length: 20 }, (_, n) => `person ${n}`)
      yield* apply(...names.flatMap((name) => [identify(byId(name)), event(byId(name), "bought")]))
      yield* apply(identify(byId("ada"), [], elsewhere), event(byId("ada"), "bought", elsewhere))
      yield* apply(...names.map((name) => remove(byId(name))), remove(byId("ada"), elsewhere))
      let steps = 0
      const isErased = Effect.map(
        load({ workspace: second.id, subjects: new Set([SubjectKey.make(1)]) }),
        ({ subjects }) => subjects.size === 0,
      )
      while (!(yield* isErased) && steps < stepsMax) {
        yield* apply(identify(byId("busy")), event(byId("busy"), "bought"), remove(byId("busy")))
        yield* store.sweep(noon + 1000)
        steps++
      }
      yield* expectSame("the person of the second workspace is erased", yield* isErased, true)
    }),
  },
]

const outcomes = ["created", "created", "applied", "applied", "applied"]

/** Housekeeping must erase the deleted person of the second workspace within this many steps. */
const stepsMax = 10
