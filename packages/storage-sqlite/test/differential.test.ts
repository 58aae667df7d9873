import type { Command } from "@inlet/core/Command"
import type { Reference } from "@inlet/core/Identifier"
import * as Memory from "@inlet/core/memory/Memory"
import {
  activity,
  apply,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  identify,
  load,
  noon,
  people,
  reject,
  remove,
  sweepAll,
  textOf,
  workspaceOf,
} from "@inlet/core/testing/scenario"
import type { Directory } from "@inlet/core/Directory"
import type { Registry } from "@inlet/core/Registry"
import type { Store } from "@inlet/core/Store"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { temporaryStore } from "./temporary.ts"

const Few = Schema.Literals([1, 1, 2, 2, 3])
const Maybe = Schema.Union([Schema.Null, Schema.Null, Schema.Literals([1, 2, 3])])

/** One command in small numbers, so that most of them meet, and where either store ends a batch after it. */
const Step = Schema.Struct({
  what: Schema.Literals(["identify", "identify", "identify", "event", "event", "event", "delete", "reject"]),
  workspace: Schema.Literals([1, 1, 2]),
  by: Schema.Literals(["id", "id", "email", "anonymous_id", "bare", "svc_id"]),
  whom: Few,
  id: Maybe,
  email: Maybe,
  anonymousId: Maybe,
  attribute: Schema.Literals(["plan", "1", "__proto__"]),
  value: Schema.NullOr(Schema.Literals([1, 2, ""])),
  deduplicationKey: Maybe,
  hoursLater: Schema.Literals([0, 0, 1, 400]),
  hoursLate: Schema.Literals([0, 0, 1, 400]),
  endsBatch: Schema.Literals([
    "for one",
    "for the other",
    "for both",
    "for nobody",
    "for nobody",
    "before sweeping",
  ]),
})
type Step = typeof Step.Type

const hour = 60 * 60 * 1000

const targetOf = ({ by, whom }: Step): Reference => {
  switch (by) {
    case "id":
      return byId(`id ${whom}`)
    case "email":
      return byEmail(whom === 1 ? "One@example.com" : `${whom}@example.com`)
    case "anonymous_id":
      return byAnonymousId(`anonymous ${whom}`)
    case "bare":
      return { _tag: "ByBareText", value: `id ${whom}`, otherwise: { _tag: "BySvcId", key: null } }
    case "svc_id":
      return bySvcId(whom)
  }
}

const commandOf = (step: Step, receivedAt: number): Command => {
  const circumstances = {
    in: workspaceOf(step.workspace),
    receivedAt,
    at: receivedAt - step.hoursLate * hour,
    ...(step.deduplicationKey !== null && { deduplicationKey: `key ${step.deduplicationKey}` }),
  }
  const target = targetOf(step)
  switch (step.what) {
    case "identify":
      return identify(target, [[step.attribute, step.value]], {
        ...circumstances,
        ...(step.id !== null && { id: `id ${step.id}` }),
        ...(step.email !== null && { email: `${step.email}@example.com` }),
        ...(step.anonymousId !== null && { anonymousId: `anonymous ${step.anonymousId}` }),
      })
    case "event":
      return event(target, `event ${step.whom}`, { ...circumstances, data: { [step.attribute]: step.value } })
    case "delete":
      return remove(target, circumstances)
    case "reject":
      return reject(circumstances)
  }
}

/** Applies a script to the store that is provided, split as it says for this one. */
const play = (steps: ReadonlyArray<Step>, store: "for one" | "for the other") =>
  Effect.gen(function* () {
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
  const { claimed, identifiers, nextKey, nextSequence } = yield* load({
    identifiers: new Set([1, 2].flatMap(textsOf)),
    deduplication: new Set([1, 2].flatMap((id) => [1, 2, 3].map((key) => `${id}:key ${key}`))),
  })
  return { workspaces, claimed, identifiers, nextKey, nextSequence }
})

const readWorkspace = (id: number) =>
  Effect.gen(function* () {
    const workspace = workspaceOf(id)
    const everybody = yield* people(null, { workspace })
    return {
      everybody,
      everything: yield* activity({}, { workspace }),
      backwards: yield* activity({}, { workspace, order: "desc", limit: 4 }),
      applied: yield* activity({ outcome: "applied" }, { workspace }),
      pending: yield* activity({ outcome: "pending", kind: "event" }, { workspace }),
      searched: yield* people("ID", { workspace, order: "desc" }),
      theirs: yield* Effect.forEach(everybody, (person) => activity({ person }, { workspace })),
    }
  })

const textsOf = (id: number) =>
  [1, 2, 3].flatMap((n) => [
    textOf("id", `id ${n}`, workspaceOf(id)),
    textOf("email", `${n}@example.com`, workspaceOf(id)),
    textOf("email", "one@example.com", workspaceOf(id)),
    textOf("anonymous_id", `anonymous ${n}`, workspaceOf(id)),
  ])

const inNew =
  <E>(layer: Layer.Layer<Store | Directory | Registry, E>) =>
  <A, E2>(effect: Effect.Effect<A, E2, Store | Directory | Registry>) =>
    Effect.provide(effect, layer, { local: true })

describe("the SQLite store and the memory store", () => {
  it.effect.prop(
    "agree on everything that can be seen, however batches are split",
    [Arbitrary.array(Arbitrary.schema(Step), { minLength: 40, maxLength: 40 })],
    ([steps]) =>
      Effect.gen(function* () {
        const one = yield* play(steps, "for one").pipe(inNew(temporaryStore))
        const other = yield* play(steps, "for the other").pipe(inNew(Memory.layer))
        assert.deepStrictEqual(one, other)
      }),
    { arbitrary: { runs: 40 }, timeout: 60_000 },
  )
})
