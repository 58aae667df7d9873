import { Effect, Exit, Option } from "effect"
import { decideInSlices } from "@inlethq/core/Batch"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { erasureMsMin, Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { identifierText, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { expectSame, type Law } from "../script/Law.ts"
import {
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
  workspaceOf,
} from "../script/commands.ts"
import { activity, apply, load, people, personBy, sweepAll } from "../script/scenario.ts"

const { id: _, ...settings } = workspaceOf(1)

/** Creates workspaces with the ids from 1 on. */
const create = Effect.fnUntraced(function* (count: number) {
  const registry = yield* Registry
  return yield* Effect.forEach(Array.from({ length: count }), () => registry.createWorkspace(settings))
})

const erased = noon + erasureMsMin

const bought = { deduplicationKey: "one", data: { price: 7 } }

const lifeIn = (workspace: Workspace) => [
  identify(byId("ada"), [["plan", "pro"]], { in: workspace, email: "ada@example.com" }),
  event(byId("ada"), "bought", { in: workspace, ...bought }),
  identifyObject(objectOf("1", "acme"), [["plan", "pro"]], [[byId("ada")]], { in: workspace }),
]

/** Returns the tag of the error with which the store refuses commands. */
const refusal = Effect.fnUntraced(function* (workspace: Workspace, ...commands: ReadonlyArray<Command>) {
  const store = yield* Store
  const written = store.transact(needsOf(workspace.id, commands), (seen) => decideInSlices(seen, commands))
  return (yield* Effect.flip(Effect.asVoid(Effect.flatten(written))).pipe(
    Effect.catch(() => Effect.succeed({ _tag: "applied" })),
  ))._tag
})

const partIn = (workspace: Workspace) => ({
  workspace: workspace.id,
  name: "people:a:0",
  digest: "a",
  at: noon,
})

const seenIn = Effect.fnUntraced(function* (workspace: Workspace) {
  const catalog = yield* Catalog
  return {
    people: (yield* people(null, { workspace })).map(({ key }) => key),
    activity: (yield* activity({}, { workspace })).map(({ sequence }) => Number(sequence)),
    object: Option.isSome(yield* catalog.object(workspace.id, "1", "acme")),
    ada: (yield* personBy({ kind: "id", value: "ada" }, workspace))?.attributes.get("plan")?.value,
    identifiers: (yield* load({
      workspace: workspace.id,
      identifiers: new Set([identifierText("id", "ada"), identifierText("email", "ada@example.com")]),
      deduplication: new Set(["one"]),
    })).claimed.size,
  }
})

/** The properties that every store must have when workspaces are deleted. */
export const deletionLaws: ReadonlyArray<Law> = [
  {
    name: "a deleted workspace and its keys are unknown at once, and its id is never used again",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const [one, two] = yield* create(2)
      const key = { name: "key", createdAt: noon, prefix: null, lastUsedAt: null, expiresAt: null } as const
      const three = yield* registry.createWorkspace(settings, [
        { ...key, keyId: "track", kind: "track", siteId: "site", digest: "a" },
        { ...key, keyId: "write", kind: "pipelines", siteId: null, digest: "b" },
      ])
      yield* expectSame("deleted", yield* registry.deleteWorkspace(three.id, noon), true)
      const unknown = Effect.gen(function* () {
        yield* expectSame(
          "workspaces",
          yield* registry.workspaces,
          [one, two].flatMap((w) => w ?? []),
        )
        yield* expectSame("workspace", yield* registry.workspace(three.id), Option.none())
        yield* expectSame("site", yield* registry.find({ kind: "track", siteId: "site" }), Option.none())
        yield* expectSame(
          "write key",
          yield* registry.find({ kind: "pipelines", digest: "b" }),
          Option.none(),
        )
        yield* expectSame("deleted again", yield* registry.deleteWorkspace(three.id, noon + 1), false)
      })
      yield* unknown
      yield* expectSame("erasing", yield* registry.erasing, [{ workspace: three.id, deletedAt: noon }])
      yield* sweepAll(erased)
      yield* unknown
      yield* expectSame("erased", yield* registry.erasing, [])
      yield* expectSame("keys", yield* registry.keys(three.id), [])
      yield* expectSame(
        "the id of a new workspace",
        Number((yield* registry.createWorkspace(settings)).id),
        4,
      )
    }),
  },
  {
    name: "any workspace can be deleted except the last one",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const [one, two] = yield* create(2)
      if (one === undefined || two === undefined) return
      yield* expectSame("the first", yield* registry.deleteWorkspace(one.id, noon), true)
      const last = yield* Effect.exit(registry.deleteWorkspace(two.id, noon))
      yield* expectSame("the last", Exit.isFailure(last), true)
      yield* expectSame("workspaces", yield* registry.workspaces, [two])
      yield* expectSame("unknown", yield* registry.deleteWorkspace(workspaceOf(9).id, noon), false)
    }),
  },
  {
    name: "a batch for a deleted workspace is refused as a whole, before and after the workspace is erased",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const store = yield* Store
      const [kept, empty, full] = yield* create(3)
      if (kept === undefined || empty === undefined || full === undefined) return
      yield* apply(...lifeIn(full), ...lifeIn(kept))
      yield* registry.deleteWorkspace(empty.id, noon)
      yield* registry.deleteWorkspace(full.id, noon)
      const refused = Effect.gen(function* () {
        for (const workspace of [empty, full]) {
          yield* expectSame("batch", yield* refusal(workspace, ...lifeIn(workspace)), "WorkspaceDeleted")
          const upload = yield* Effect.exit(store.registerUpload(partIn(workspace)))
          yield* expectSame("upload", Exit.isFailure(upload), true)
        }
        yield* expectSame("another workspace", yield* refusal(kept, ...lifeIn(kept)), "applied")
        yield* expectSame("its upload", yield* store.registerUpload(partIn(kept)), "a")
      })
      yield* refused
      yield* sweepAll(erased)
      yield* refused
      yield* sweepAll(erased + 1)
      yield* expectSame("people", yield* people(null, { workspace: full }), [])
      yield* expectSame("activity", yield* activity({}, { workspace: empty }), [])
    }),
  },
  {
    name: "housekeeping erases a deleted workspace and leaves the same data in other workspaces",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const [one, two, three] = yield* create(3)
      if (one === undefined || two === undefined || three === undefined) return
      for (const workspace of [one, two, three]) {
        const many = Array.from({ length: 300 }, (_person, n) => byId(`person ${n}`))
        yield* apply(
          ...lifeIn(workspace),
          ...many.map((id) => identify(id, [], { in: workspace })),
          ...many.slice(0, 100).map((id) => event(id, "bought", { in: workspace })),
          ...many.slice(0, 50).map((id) => remove(id, { in: workspace })),
        )
      }
      yield* registry.deleteWorkspace(two.id, noon)
      yield* sweepAll(noon)
      yield* expectSame("the workspace is still marked", (yield* registry.erasing).length, 1)
      yield* sweepAll(erased)
      const left = yield* seenIn(two)
      yield* expectSame("the deleted workspace", left, {
        people: [],
        activity: [],
        object: false,
        ada: undefined,
        identifiers: 0,
      })
      const rest = yield* seenIn(one)
      yield* expectSame("the other workspaces", yield* seenIn(three), rest)
      yield* expectSame("their people", [rest.people.length, rest.ada, rest.object], [251, "pro", true])
      yield* expectSame("their first person", rest.people[0], SubjectKey.make(1))
    }),
  },
]
