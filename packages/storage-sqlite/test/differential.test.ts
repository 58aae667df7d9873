import type { Command } from "@inlet/core/Command"
import { Directory } from "@inlet/core/Directory"
import { deliveryText, deviceText, formText, objectText, SubjectKey } from "@inlet/core/Identifier"
import * as Memory from "@inlet/core/memory/Memory"
import type { Registry } from "@inlet/core/Registry"
import type { Store } from "@inlet/core/Store"
import { plain } from "@inlet/core/Subject"
import { byId, identify, noon, register, remove, report, workspaceOf } from "@inlet/core/testing/commands"
import { plainDigest } from "@inlet/core/testing/digest"
import { activity, apply, list, load, people, sweepAll, textOf } from "@inlet/core/testing/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer } from "effect"
import { beginning, commandOf, hour, Step } from "./script.ts"
import { temporaryStore } from "./temporary.ts"

/** Applies a script to the store that is provided, split as it says for this one. */
const play = (steps: ReadonlyArray<Step>, store: "for one" | "for the other") =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    let now = noon
    let batch: Array<Command> = []
    for (const step of steps) {
      now += step.hoursLater * hour
      batch.push(commandOf(step, now))
      if (step.endsBatch === "for nobody") continue
      if (step.endsBatch === store || step.endsBatch === "for both" || step.endsBatch === "before sweeping") {
        yield* apply(...batch)
        batch = []
      }
      if (step.endsBatch === "before sweeping") yield* sweepAll(now)
    }
    yield* apply(...batch)
    const inFlight = yield* readAll
    yield* sweepAll(now)
    return [inFlight, yield* readAll]
  })

/** All that can be read of both workspaces, and all that the next batch would be decided against. */
const readAll = Effect.gen(function* () {
  const workspaces = yield* Effect.forEach([1, 2], (id) => readWorkspace(id))
  const { nextKey } = yield* load({})
  const {
    digest: _1,
    subjects,
    written: _2,
    ...seen
  } = yield* load({
    identifiers: new Set([1, 2].flatMap(textsOf)),
    subjects: new Set(Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))),
    deduplication: new Set([1, 2].flatMap((id) => [1, 2, 3].map((key) => `${id}:key ${key}`))),
  })
  const byKey = [...subjects.values()].toSorted((a, b) => a.key - b.key)
  return { workspaces, subjects: byKey.map(plain), ...seen }
})

const readWorkspace = (id: number) =>
  Effect.gen(function* () {
    const workspace = workspaceOf(id)
    const directory = yield* Directory
    const everybody = yield* list((_, { id }, page) => directory.people(id, null, page), { workspace })
    return {
      everybody,
      everything: yield* activity({}, { workspace }),
      backwards: yield* activity({}, { workspace, order: "desc", limit: 4 }),
      applied: yield* activity({ outcome: "applied" }, { workspace }),
      pending: yield* activity({ outcome: "pending", kind: "event" }, { workspace }),
      searched: yield* people("ID", { workspace, order: "desc" }),
      theirs: yield* Effect.forEach(everybody, ({ person }) => activity({ person }, { workspace })),
      objects: yield* list((_, { id }, page) => directory.objects(id, null, page), { workspace }),
      ofType: yield* list((_, { id }, page) => directory.objects(id, "1", page), {
        workspace,
        order: "desc",
      }),
      segments: yield* list((_, { id }, page) => directory.segments(id, page), { workspace }),
      members: yield* Effect.forEach([1, 2, 3], (segment) =>
        list((_, { id }, page) => directory.members(id, SubjectKey.make(segment), page), { workspace }),
      ),
      forms: yield* list((_, { id }, page) => directory.forms(id, page), { workspace }),
      deliveries: yield* list((_, { id }, page) => directory.deliveries(id, page), { workspace }),
      suppressed: yield* Effect.forEach([1, 2, 3], (n) =>
        directory.isSuppressed(workspace.id, { kind: "id", value: `id ${n}` }),
      ),
    }
  })

const textsOf = (id: number) => {
  const workspace = workspaceOf(id)
  return [1, 2, 3].flatMap((n) => [
    textOf("id", `id ${n}`, workspace),
    textOf("email", n === 1 ? "one@example.com" : `${n}@example.com`, workspace),
    textOf("email", `${n}@example.com`, workspace),
    textOf("anonymous_id", `anonymous ${n}`, workspace),
    textOf("anonymous_id", `id ${n}`, workspace),
    deviceText(workspace.id, `token ${n}`),
    deliveryText(workspace.id, `delivery ${n}`),
    formText(workspace.id, `form ${n}`),
    objectText(workspace.id, n === 3 ? "2" : "1", `object ${n}`),
  ])
}

const inNew =
  <E>(layer: Layer.Layer<Store | Directory | Registry, E>) =>
  <A, E2>(effect: Effect.Effect<A, E2, Store | Directory | Registry>) =>
    Effect.provide(effect, layer, { local: true })

const memoryStore = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the SQLite store and the memory store", () => {
  it.effect.prop(
    "agree on everything that can be seen, however batches are split",
    [Arbitrary.array(Arbitrary.schema(Step), { minLength: 60, maxLength: 60 })],
    ([steps]) =>
      Effect.gen(function* () {
        const one = yield* play(steps, "for one").pipe(inNew(temporaryStore))
        const other = yield* play(steps, "for the other").pipe(inNew(memoryStore))
        assert.deepStrictEqual(one, other)
      }),
    { arbitrary: { runs: 40 }, timeout: 60_000 },
  )

  it.effect.each([true, false])(
    "agree on a delivery that was registered again, in one batch: %s",
    (isOneBatch) => {
      const commands = [
        ...["ada", "bob"].map((id) => identify(byId(id))),
        report("delivery", "opened", { recipient: "ada@example.com" }),
        register("delivery", byId("ada")),
        register("delivery", byId("bob")),
        remove(byId("ada")),
        report("delivery", "clicked"),
      ]
      const all = Effect.gen(function* () {
        if (isOneBatch) yield* apply(...commands)
        else for (const command of commands) yield* apply(command)
        const inFlight = yield* activity()
        yield* sweepAll(noon)
        return [inFlight, yield* activity()]
      })
      return Effect.gen(function* () {
        assert.deepStrictEqual(yield* all.pipe(inNew(temporaryStore)), yield* all.pipe(inNew(memoryStore)))
      })
    },
  )
})
