import { assert, describe, it as plainly, layer } from "@effect/vitest"
import { whatIfsRunningMax } from "@inlethq/contract/trial/WhatIf"
import { Store } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Trial } from "@inlethq/log/trial/Trial"
import { noon } from "@inlethq/store-conformance/script/commands"
import { Context, Deferred, Effect, Layer, Schema } from "effect"
import { WhatIfJobs } from "../../src/management/whatIf/WhatIfJobs.ts"
import { assertProblem, call, memory, newWorkspace, serverWith } from "./managementServer.ts"

/** Holds the views of a store back until so many trials have come to theirs, or were refused. */
class Gate extends Context.Service<
  Gate,
  { readonly arrive: Effect.Effect<void>; readonly open: Effect.Effect<void> }
>()("@inlethq/http/test/management/managementWhatIf.test/Gate") {}

const asked = 2 * (whatIfsRunningMax + 1)

const gate = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const opened = yield* Deferred.make<void>()
    let left = asked
    const arrive = Effect.suspend(() => (--left === 0 ? Deferred.succeed(opened, undefined) : Effect.void))
    return Gate.of({ arrive: Effect.asVoid(arrive), open: Deferred.await(opened) })
  }),
)

const gated = Layer.effect(
  Store,
  Effect.gen(function* () {
    const store = yield* Store
    const { arrive, open } = yield* Gate
    return Store.of({
      ...store,
      view: (needs) => arrive.pipe(Effect.andThen(open), Effect.andThen(store.view(needs))),
    })
  }),
).pipe(Layer.provideMerge(memory), Layer.provideMerge(gate))

const idIn = Schema.decodeUnknownSync(Schema.Struct({ what_if_id: Schema.String }))

const start = (w: number) => call("POST", `/workspaces/${w}/what-if`, { body: { change: {} } })

layer(serverWith(gated))("trials of the log", (it) => {
  it.effect(
    "a workspace has one at a time and a node no more than its limit, also if they are asked for at once",
    () =>
      Effect.gen(function* () {
        const { arrive } = yield* Gate
        const workspaces = yield* Effect.forEach(Array.from({ length: asked / 2 }), () => newWorkspace)
        const answers = yield* Effect.forEach(
          [...workspaces, ...workspaces],
          ({ id }) => Effect.tap(start(id), ({ status }) => (status === 409 ? arrive : Effect.void)),
          { concurrency: "unbounded" },
        )
        const refused = answers.filter(({ status }) => status !== 202)
        assert.strictEqual(answers.length - refused.length, whatIfsRunningMax)
        for (const answer of refused)
          assertProblem(
            answer,
            409,
            "Conflict",
            /^(?:a trial of this workspace is running|this server runs 4 trials)/,
          )
      }),
  )

  it.effect("an id of another node, or of the time before a restart, is told as such", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const { what_if_id } = idIn((yield* start(id)).json)
      const at = (one: string) => call("GET", `/workspaces/${id}/what-if/${one}`)
      assert.strictEqual((yield* at(what_if_id)).status, 200)
      assertProblem(yield* at(`0${what_if_id}`), 404, "Not Found", /the node that made it/)
      assertProblem(yield* at(`${what_if_id}0`), 404, "Not Found", /^trial not found/)
    }),
  )
})

describe("the trials of a node", () => {
  plainly("an ended one keeps its report, and not the people of its worlds", () => {
    const workspace = { ...defaultSettings("test", "us"), id: WorkspaceId.make(1) }
    const change = { workspace, merge: null, unmerge: null }
    const trial = new Trial(workspace, change, {
      nextKey: SubjectKey.make(1),
      nextSequence: Sequence.make(1),
      digest: String,
    })
    trial.tally.differ({
      sequence: Sequence.make(1),
      batchIndex: null,
      receivedAt: noon,
      subject: SubjectKey.make(1),
      kind: "identify",
      name: null,
      differs: ["outcome"],
      now: null,
      tried: null,
    })
    const plan = { workspace, asked: { change: {} }, days: 7, range: null, rule: null, trial }
    const job = new WhatIfJobs().add("id", plan, noon)
    assert.strictEqual(job.running, trial)
    job.end("done", null, noon)
    assert.strictEqual(job.running, null)
    assert.strictEqual(Object.values(job).includes(trial), false)
    assert.deepStrictEqual([job.isApplied, job.tally.operations, job.tally.peopleCount], [true, 1, 1])
  })
})
