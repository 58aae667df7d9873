import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Overloaded } from "@inlethq/engine/commits/IngestBounds"
import { Registry } from "@inlethq/core/ports/Registry"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { unsubscribedName } from "@inlethq/core/state/Attributes"
import { Delivery } from "@inlethq/core/state/Delivery"
import { emptyPerson, type Person } from "@inlethq/core/state/Person"
import { first, noon } from "@inlethq/store-conformance/script/commands"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Layer, Option } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { Authenticator } from "../../src/credentials/Authenticator.ts"
import { Admission } from "../../src/ingestion/Admission.ts"
import { ArrivingBodies } from "../../src/ingestion/Body.ts"
import { ForwardLimit } from "../../src/ingestion/forward.ts"
import { BrowserLibrary } from "../../src/ingestion/snippetFiles.ts"
import { unsubscribe } from "../../src/ingestion/unsubscribe.ts"
import { Senders } from "../../src/credentials/Senders.ts"
import { clientOf } from "../../src/ingestion/clientOf.ts"
import { UnsubscribeMeter } from "../../src/ingestion/UnsubscribeMeter.ts"
import { defaultSettings, ingestOf } from "./ingestionLayers.ts"

/** The id of the only delivery in the store. */
const known = "known"

const person = emptyPerson(SubjectKey.make(1), first.id, noon)
const unsubscribedPerson: Person = {
  ...person,
  attributes: new Map([[unsubscribedName, { value: true, at: noon }]]),
}
const delivery = Delivery.make({
  key: SubjectKey.make(2),
  workspace: first.id,
  deliveryId: known,
  channel: "email",
  person: person.key,
  formerly: [],
  registered: null,
  recipient: null,
  subject: null,
  sources: new Map(),
  metrics: new Map(),
  createdAt: noon,
  updatedAt: noon,
})

/** A clock that shows the same time for ever, and sleeps as `clock` does. All requests fall into one window of a rate. */
const stoppedAt = (clock: Clock.Clock, milliseconds: number): Clock.Clock => {
  const nanos = BigInt(milliseconds) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => milliseconds,
    currentTimeMillis: Effect.succeed(milliseconds),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => nanos,
    monotonicTimeNanos: Effect.succeed(nanos),
    sleep: (duration) => clock.sleep(duration),
  }
}

interface World {
  /** The recipient of the known delivery. By default a person who is not unsubscribed. */
  readonly recipient?: Person | null
  readonly workspace?: Workspace
  readonly committing?: boolean
  readonly submit?: Effect.Effect<never, Overloaded | StoreUnavailable>
}

const worldOf = (
  { committing = true, recipient = person, submit, workspace = first }: World,
  applied: Array<Command>,
) => {
  const stores = Layer.mergeAll(
    Layer.mock(Catalog, {
      workspacesOfDelivery: (id) => Effect.succeed(id === known ? [WorkspaceId.make(1)] : []),
      delivery: () => Effect.succeed(Option.some({ delivery, person: recipient })),
    }),
    Layer.mock(Registry, { workspace: () => Effect.succeed(Option.some(workspace)) }),
    ingestOf({
      status: Effect.succeed({ committing, waitingCommands: 0, oldestWaitingAt: null }),
      submit: (commands) =>
        Effect.andThen(
          submit ?? Effect.void,
          Effect.sync(() => {
            applied.push(...commands.filter(({ _tag }) => _tag === "UnsubscribeByDelivery"))
            return []
          }),
        ),
    }),
    defaultSettings,
  )
  const perServer = Layer.mergeAll(
    ArrivingBodies.layer,
    ForwardLimit.layer,
    BrowserLibrary.layer.pipe(Layer.provide(NodeServices.layer)),
    UnsubscribeMeter.layer,
  )
  return Layer.mergeAll(Admission.layer, Authenticator.layer, Senders.layer, perServer).pipe(
    Layer.provide(plainDigest),
    Layer.provideMerge(stores),
  )
}

const ask = (delivery: string) =>
  Effect.suspend(() => {
    const request = new IncomingMessage(new Socket())
    request.push(null)
    return unsubscribe({
      request,
      client: clientOf(request, null),
      route: "POST /unsubscribe/:delivery_id",
      parameters: [delivery],
      query: "",
    })
  })

/** Returns the response without its random parts. */
const answerTo = (delivery: string) =>
  Effect.map(ask(delivery), ({ body, headers, status }) => [status, body, Object.keys(headers ?? {})])

/**
 * Unsubscribes once from a known and once from an unknown delivery, and asserts that both responses are equal. Returns
 * their status, and the types of the commands that were applied.
 */
const answersIn = (world: World) =>
  Effect.gen(function* () {
    const applied: Array<Command> = []
    const answers = yield* Effect.gen(function* () {
      return [yield* answerTo(known), yield* answerTo("unknown")]
    }).pipe(Effect.provide(worldOf(world, applied)))
    assert.deepStrictEqual(answers[0], answers[1])
    return { status: answers[0]?.[0], applied: applied.map(({ _tag }) => _tag) }
  })

const down = new StoreUnavailable({ operation: "commit", cause: "the disk is full" })
const elsewhere: Workspace = { ...first, region: "eu" }

const cases: ReadonlyArray<readonly [name: string, world: World, expected: object]> = [
  ["if the unsubscribe is applied", {}, { status: 200, applied: ["UnsubscribeByDelivery"] }],
  [
    "if the delivery's workspace belongs to the other region",
    { workspace: elsewhere },
    { status: 200, applied: [] },
  ],
  ["if the person is unsubscribed already", { recipient: unsubscribedPerson }, { status: 200, applied: [] }],
  ["if the delivery has no recipient", { recipient: null }, { status: 200, applied: [] }],
  ["while the store cannot commit", { committing: false }, { status: 503, applied: [] }],
  ["if the commit fails", { submit: Effect.fail(down) }, { status: 503, applied: [] }],
  ["if the commit queue is full", { submit: Effect.fail(new Overloaded()) }, { status: 503, applied: [] }],
]

describe("an unsubscribe without credentials", () => {
  for (const [name, world, expected] of cases) {
    it.live(
      `contract §11: an unsubscribe gets the same response for known and for unknown deliveries (${name})`,
      () =>
        Effect.gen(function* () {
          const answers: object = yield* answersIn(world)
          assert.deepStrictEqual(answers, expected)
        }),
    )
  }

  it.live("an unsubscribe without credentials is applied even above the rate limit of its workspace", () =>
    Effect.gen(function* () {
      const limits = { ...first.limits, rateRequestsMax: 2 }
      const applied: Array<Command> = []
      const world = worldOf({ workspace: { ...first, rateLimit: "throttle", limits } }, applied)
      const asked = Effect.all(
        Array.from({ length: 9 }, () => ask(known)),
        { concurrency: 9 },
      )
      const answers = yield* Effect.provide(asked, world)
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.strictEqual(applied.length, 9)
    }),
  )

  it.live(
    "unsubscribes without credentials get a 429 after 300 in 3 s, for known and unknown deliveries",
    () =>
      Effect.gen(function* () {
        const asked = Effect.forEach(
          Array.from({ length: 310 }, (_, n) => (n % 2 === 0 ? known : "unknown")),
          ask,
          { concurrency: "unbounded" },
        )
        const answers = yield* asked.pipe(
          Effect.provide(worldOf({}, [])),
          Effect.provideService(Clock.Clock, stoppedAt(yield* Clock.Clock, noon)),
        )
        const statuses = answers.map(({ status }) => status)
        assert.deepStrictEqual(new Set(statuses.slice(0, 300)), new Set([200]))
        assert.deepStrictEqual(new Set(statuses.slice(300)), new Set([429]))
        assert.strictEqual(answers[309]?.headers?.["retry-after"], "3")
      }),
  )

  it.live(
    "contract §11: an unsubscribe without credentials takes at least 50 ms for known and for unknown deliveries",
    () =>
      Effect.gen(function* () {
        for (const delivery of [known, "unknown"]) {
          const from = yield* Clock.currentTimeMillis
          yield* ask(delivery)
          // A timer can fire up to a millisecond early.
          assert.isAtLeast((yield* Clock.currentTimeMillis) - from, 49)
        }
      }).pipe(Effect.provide(worldOf({}, []))),
  )
})
