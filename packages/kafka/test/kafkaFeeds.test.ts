import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Command } from "@inlethq/core/Command"
import { operationIdText, Sequence, SubjectKey, svcIdText } from "@inlethq/core/values/Identifier"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { byId, event, identify, remove } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Clock, Effect, Layer, Queue, Schema } from "effect"
import { kafkaCursor } from "@inlethq/core/ports/LogCursors"
import { KafkaFailed } from "../src/kafkaError.ts"
import { KafkaFeeds } from "@inlethq/outbound/KafkaFeeds"
import * as kafkaFeeds from "../src/kafkaFeeds.ts"
import { KafkaSender, type KafkaMessage } from "../src/KafkaSender.ts"
import { MayDeliver } from "@inlethq/outbound/MayDeliver"

const topic = "inlet.activity"

/** A replacement for Kafka that stores the messages that it accepts. A test can switch it off. */
class FakeKafka {
  isAway = false
  readonly prepared: Array<string> = []
  private readonly stored: Queue.Queue<KafkaMessage>

  constructor(stored: Queue.Queue<KafkaMessage>) {
    this.stored = stored
  }

  static readonly make = Effect.map(Queue.unbounded<KafkaMessage>(), (stored) => new FakeKafka(stored))

  get sender(): Layer.Layer<KafkaSender> {
    return Layer.succeed(KafkaSender, {
      prepare: (name) => Effect.sync(() => void this.prepared.push(name)),
      send: (_topic, messages) =>
        Effect.suspend(() =>
          this.isAway
            ? Effect.fail(new KafkaFailed({ message: "away", code: null }))
            : Effect.asVoid(Queue.offerAll(this.stored, messages)),
        ),
    })
  }

  /** Waits for the next message. */
  get next(): Effect.Effect<KafkaMessage> {
    return Queue.take(this.stored)
  }
}

const Entry = Schema.fromJsonString(
  Schema.Struct({
    kind: Schema.String,
    sequence: Schema.Int,
    data: Schema.Unknown,
    context: Schema.optionalKey(Schema.Unknown),
    omitted: Schema.optionalKey(Schema.Unknown),
  }),
)
const entryIn = ({ value }: KafkaMessage) => Schema.decodeUnknownEffect(Entry)(value)

const layerOf = (kafka: FakeKafka, mayDeliver = Effect.succeed(true)) =>
  kafkaFeeds.layer.pipe(
    Layer.provide(kafka.sender),
    Layer.provideMerge(Ingest.layer),
    Layer.provideMerge(Layer.merge(Memory.layer, MemoryLogCursors.layer)),
    Layer.provide(plainDigest),
    Layer.provide(Layer.succeed(MayDeliver, mayDeliver)),
  )

const makeCopied = Effect.flatMap(Registry, (registry) =>
  registry.createWorkspace({ ...defaultSettings("One", "us"), kafka: { topic } }),
)

const ada = byId("ada")

const submit = (...commands: ReadonlyArray<Command>) => Ingest.use((ingest) => ingest.submit(commands, 100))

const identified = Effect.fnUntraced(function* (workspace: Workspace, plan: string) {
  return identify(ada, [["plan", plan]], { in: workspace, receivedAt: yield* Clock.currentTimeMillis })
})

describe("the copy of an activity log in Kafka", () => {
  it.live("the topic has each entry once, with the person as key and the operation id in a header", () =>
    Effect.gen(function* () {
      const kafka = yield* FakeKafka.make
      yield* Effect.gen(function* () {
        const workspace = yield* makeCopied
        yield* submit(yield* identified(workspace, "free"), yield* identified(workspace, "pro"))
        const [one, two] = [yield* kafka.next, yield* kafka.next]
        assert.deepStrictEqual(kafka.prepared, [topic])
        const { id } = workspace
        const [entry] = yield* Effect.all([entryIn(one), entryIn(two)])
        assert.strictEqual(entry.sequence, 1)
        assert.strictEqual(one.key, svcIdText(id, SubjectKey.make(1)))
        assert.strictEqual(two.key, one.key)
        assert.deepStrictEqual(one.headers, {
          "inlet-operation-id": operationIdText(id, Sequence.make(1), null),
          "inlet-environment-id": String(id),
        })
        assert.strictEqual((yield* entryIn(two)).sequence, 2)
      }).pipe(Effect.provide(layerOf(kafka)))
    }),
  )

  it.live("contract §13 context: an entry in the topic has where its call came from", () =>
    Effect.gen(function* () {
      const kafka = yield* FakeKafka.make
      yield* Effect.gen(function* () {
        const workspace = yield* makeCopied
        const context = { page: { path: "/pricing" } }
        const provenance = { context, omitted: ["page.search"] }
        const receivedAt = yield* Clock.currentTimeMillis
        yield* submit(identify(ada, [], { in: workspace, receivedAt, provenance }))
        const entry = yield* entryIn(yield* kafka.next)
        assert.deepStrictEqual([entry.context, entry.omitted], [context, ["page.search"]])
      }).pipe(Effect.provide(layerOf(kafka)))
    }),
  )

  it.live("the copy to Kafka begins after the entries that were there when it was turned on", () =>
    Effect.gen(function* () {
      const kafka = yield* FakeKafka.make
      yield* Effect.gen(function* () {
        const registry = yield* Registry
        const workspace = yield* registry.createWorkspace(defaultSettings("One", "us"))
        yield* submit(yield* identified(workspace, "free"))
        yield* registry.updateWorkspace(workspace, { ...workspace, kafka: { topic } })
        yield* submit(yield* identified(workspace, "pro"))
        assert.strictEqual((yield* entryIn(yield* kafka.next)).sequence, 2)
      }).pipe(Effect.provide(layerOf(kafka)))
    }),
  )

  it.live(
    "the copy to Kafka waits while Kafka is unavailable, reports why, and later sends the waiting entries",
    () =>
      Effect.gen(function* () {
        const kafka = yield* FakeKafka.make
        kafka.isAway = true
        yield* Effect.gen(function* () {
          const feeds = yield* KafkaFeeds
          const workspace = yield* makeCopied
          yield* submit(yield* identified(workspace, "free"))
          const failing = yield* Effect.repeat(Effect.delay(feeds.status, "20 millis"), {
            until: (status) => status !== null && status.failure !== null,
          })
          assert.strictEqual(failing?.failure, "away")
          assert.isNull(yield* LogCursors.use((cursors) => cursors.position(kafkaCursor(workspace.id))))
          kafka.isAway = false
          assert.strictEqual((yield* entryIn(yield* kafka.next)).sequence, 1)
        }).pipe(Effect.provide(layerOf(kafka)))
      }),
  )

  it.live(
    "the topic contains no data about a person who was deleted while the person's entries waited to be sent",
    () =>
      Effect.gen(function* () {
        const kafka = yield* FakeKafka.make
        yield* Effect.gen(function* () {
          const workspace = yield* makeCopied
          const receivedAt = yield* Clock.currentTimeMillis
          const here = { in: workspace, receivedAt }
          yield* submit(yield* identified(workspace, "secret"), event(ada, "secret", here), remove(ada, here))
          const [first, second] = [yield* kafka.next, yield* kafka.next]
          assert.deepStrictEqual(
            [(yield* entryIn(first)).kind, (yield* entryIn(second)).kind],
            ["identify", "delete"],
          )
          assert.notInclude(first.value, "secret")
          assert.notInclude(first.value, "ada")
        }).pipe(Effect.provide(layerOf(kafka)))
      }),
  )

  it.live("a node that does not hold the lease copies no entries to Kafka", () =>
    Effect.gen(function* () {
      const kafka = yield* FakeKafka.make
      yield* Effect.gen(function* () {
        const feeds = yield* KafkaFeeds
        yield* makeCopied
        const status = yield* feeds.status
        assert.deepInclude(status, { sending: false, workspaces: 0 })
      }).pipe(Effect.provide(layerOf(kafka, Effect.succeed(false))))
    }),
  )
})

describe("the Kafka client", () => {
  it.live("the copy to Kafka reports which broker does not answer", () =>
    Effect.gen(function* () {
      const sender = yield* KafkaSender
      const failed = yield* Effect.flip(sender.prepare(topic))
      assert.include(failed.message, "cannot send to the Kafka topic inlet.activity")
      assert.include(failed.message, "127.0.0.1:1")
    }).pipe(
      Effect.provide(
        KafkaSender.layerWith({ brokers: [{ host: "127.0.0.1", port: 1 }], tls: null, sasl: null }),
      ),
    ),
  )
})
