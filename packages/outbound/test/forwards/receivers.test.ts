import { assert, describe, it } from "@effect/vitest"
import { deliveryKey, type Forward, type ForwardShape } from "@inlethq/core/forward/Forward"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { hourMs, minuteMs, secondMs } from "@inlethq/core/values/Timestamp"
import type { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { byId, event, noon, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { forwardOf } from "@inlethq/store-conformance/tables/forwardLaws"
import { Clock, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { BlockList } from "node:net"
import { addSubnet } from "../../src/addressRules.ts"
import { Forwards } from "../../src/forwards/Forwards.ts"
import { keyOwner } from "../../src/forwards/targetOf.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import { ConnectionPools } from "../../src/sending/ConnectionPools.ts"
import { RecordWriter } from "../../src/sending/RecordWriter.ts"
import type { Resolve } from "../../src/sending/resolveName.ts"
import { Sender, type SenderOptions } from "../../src/sending/Sender.ts"
import { waitMsMax } from "../../../../tools/testing/patience.ts"
import { HttpReceiver, takeAll, type Item, type Received } from "./HttpReceiver.ts"

const loopback = new BlockList()
addSubnet(loopback, "127.0.0.1")

/** Forwards on stores in memory, which send over the network. */
const forwardsWith = (options: SenderOptions) =>
  Forwards.layer.pipe(
    Layer.provide([RecordWriter.layer, ConnectionPools.layer, Sender.layerWith(options)]),
    Layer.provideMerge(SecretBox.layer),
    Layer.provideMerge(Ingest.layer),
    Layer.provideMerge(
      Layer.mergeAll(Memory.layer, MemoryLogCursors.layer, MemoryWebhooks.layer, MemoryForwards.layer),
    ),
    Layer.provideMerge(plainDigest),
    Layer.provide(Layer.succeed(MayDeliver, Effect.succeed(true))),
    Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map())),
  )

const forwards = forwardsWith({ allowed: loopback })

/** Lets what waits for the network go on, while the clock of the test stands. */
const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Waits for the network until a condition holds. The clock of the test stands. */
const until = <R>(condition: Effect.Effect<boolean, never, R>) => repeated(turn, condition)

/** Waits until a condition holds, while the clock of the test goes on slowly. */
const arriving = (condition: () => boolean) => going(Effect.sync(condition))

const going = <R>(condition: Effect.Effect<boolean, never, R>) =>
  repeated(Effect.andThen(TestClock.adjust("1 milli"), turn), condition)

const repeated = Effect.fnUntraced(function* <R>(
  step: Effect.Effect<unknown>,
  condition: Effect.Effect<boolean, never, R>,
) {
  const deadline = performance.now() + waitMsMax
  while (!(yield* condition)) {
    if (performance.now() > deadline) return assert.fail("the condition does not become true")
    yield* step
  }
})

/** Lets everything go on for some time, so that whatever would be sent is sent. */
const pass = (seconds: number) =>
  Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), Effect.repeat(turn, { times: 3 })), {
    times: seconds,
  })

/** Creates a workspace with a forward to a receiver. */
const forwardTo = Effect.fnUntraced(function* (
  { url }: Pick<HttpReceiver, "url">,
  to: ForwardShape = "segment",
) {
  const workspace = yield* Registry.use((registry) => registry.createWorkspace(defaultSettings("One", "us")))
  const plain = forwardOf("one", { workspace: workspace.id, to, url })
  const key = to === "segment" ? "key" : "site:key"
  const sealedKey = yield* SecretBox.use((box) => box.seal(key, keyOwner(plain)))
  const forward = { ...plain, sealedKey }
  yield* ForwardStore.use((store) => store.create(forward, EventPosition.make(0)))
  yield* Forwards.use((all) => all.changed(forward))
  return forward
})

const people = 5

/** Adds events `0` up to `count` of a few people to the log, in one batch. */
const addEvents = Effect.fnUntraced(function* (forward: Forward, count: number, from = 0) {
  const receivedAt = yield* Clock.currentTimeMillis
  const commands = Array.from({ length: count }, (_, n) =>
    event(byId(`p${(from + n) % people}`), `event ${from + n}`, {
      in: workspaceOf(forward.workspace),
      receivedAt,
    }),
  )
  yield* Ingest.use((ingest) => ingest.submit(commands, 100 * count))
})

/** More attempts than a test makes. */
const attemptsMax = 100_000

const attemptsOf = (forward: Forward) =>
  WebhookStore.use((store) =>
    Effect.orDie(
      store.attempts(deliveryKey(forward), null, { limit: attemptsMax, after: null, order: "asc" }),
    ),
  ).pipe(Effect.map(({ items }) => items))

/** Waits until so many attempts have this status. The clock of the test stands. */
const untilAttempts = (forward: Forward, status: AttemptStatus, count: number) =>
  until(Effect.map(attemptsOf(forward), (all) => all.filter((one) => one.status === status).length >= count))

const namesIn = (items: ReadonlyArray<Item>) => items.map(({ name }) => name)

const eventNames = (count: number) => Array.from({ length: count }, (_, n) => `event ${n}`)

/** Keeps the responses that a receiver has still to give. */
const withheld = (receiver: HttpReceiver) => {
  const waiting: Array<Received> = []
  receiver.react = (received) => void waiting.push(received)
  return waiting
}

/** Runs a test with a receiver on stores in memory. */
const withReceiver = <E>(
  run: (receiver: HttpReceiver) => Effect.Effect<void, E, Layer.Success<typeof forwards>>,
  layer = forwards,
) =>
  Effect.flatMap(HttpReceiver.start, run).pipe(
    Effect.scoped,
    Effect.provide(layer),
    // What follows the log would otherwise do what is due in all the years up to noon.
    (test) => Effect.andThen(TestClock.setTime(noon), test),
  )

describe("a receiver that is slow", () => {
  it.effect("gets each call once if it answers just before the limit of 30 seconds", () =>
    withReceiver((receiver) =>
      Effect.gen(function* () {
        const waiting = withheld(receiver)
        const forward = yield* forwardTo(receiver)
        yield* addEvents(forward, 3)
        yield* arriving(() => waiting.length === 1)
        yield* TestClock.adjust("29 seconds")
        waiting.forEach(takeAll)
        yield* untilAttempts(forward, "delivered", 3)
        yield* pass(60)
        assert.deepStrictEqual(receiver.requests.map(namesIn), [eventNames(3)])
      }),
    ),
  )

  it.effect("gets the same calls again with the same ids if it does not answer within 30 seconds", () =>
    withReceiver((receiver) =>
      Effect.gen(function* () {
        const waiting = withheld(receiver)
        const forward = yield* forwardTo(receiver)
        yield* addEvents(forward, 3)
        yield* arriving(() => waiting.length === 1)
        yield* TestClock.adjust("30 seconds")
        yield* untilAttempts(forward, "retrying", 3)
        receiver.react = takeAll
        yield* TestClock.adjust("2 seconds")
        yield* untilAttempts(forward, "delivered", 3)
        assert.strictEqual(receiver.requests.length, 2)
        assert.deepStrictEqual(receiver.requests[1], receiver.requests[0])
      }),
    ),
  )

  it.effect("has taken what it answered 200 to, although the body of the answer never ends", () =>
    withReceiver((receiver) =>
      Effect.gen(function* () {
        receiver.react = ({ response }) => void response.writeHead(200).write("{")
        const forward = yield* forwardTo(receiver)
        yield* addEvents(forward, 3)
        yield* arriving(() => receiver.requests.length === 1)
        yield* pass(60)
        yield* untilAttempts(forward, "delivered", 3)
        assert.strictEqual(receiver.requests.length, 1)
      }),
    ),
  )
})

describe("a receiver that closes early", () => {
  it.effect("gets the same calls again after it closed before the body, or without an answer", () =>
    withReceiver((receiver) =>
      Effect.gen(function* () {
        let early = 0
        receiver.reactEarly = (request) => {
          if (early++ > 0) return true
          request.socket.resetAndDestroy()
          return false
        }
        receiver.react = ({ request, ...rest }) =>
          receiver.requests.length === 1 ? void request.socket.destroy() : takeAll({ request, ...rest })
        const forward = yield* forwardTo(receiver)
        yield* addEvents(forward, 3)
        yield* arriving(() => early === 1)
        yield* untilAttempts(forward, "retrying", 3)
        yield* TestClock.adjust("2 seconds")
        yield* untilAttempts(forward, "retrying", 6)
        yield* TestClock.adjust("4 seconds")
        yield* untilAttempts(forward, "delivered", 3)
        assert.deepStrictEqual(receiver.requests.map(namesIn), [eventNames(3), eventNames(3)])
      }),
    ),
  )

  it.effect(
    "gets everything again after an answer 207 that broke off, and files what the whole one names",
    () =>
      withReceiver((receiver) =>
        Effect.gen(function* () {
          const errors = JSON.stringify({ errors: [{ batch_index: 1, message: "bad" }] })
          receiver.react = ({ response }) => {
            const isCut = receiver.requests.length === 1
            response.writeHead(207, { "content-length": errors.length })
            if (isCut) response.write(errors.slice(0, 12), () => response.destroy())
            else response.end(errors)
          }
          const forward = yield* forwardTo(receiver, "track-v2")
          yield* addEvents(forward, 3)
          yield* arriving(() => receiver.requests.length === 1)
          yield* untilAttempts(forward, "retrying", 3)
          yield* TestClock.adjust("2 seconds")
          yield* untilAttempts(forward, "delivered", 2)
          const [filed, ...others] = (yield* attemptsOf(forward)).filter(({ status }) => status === "failed")
          assert.deepStrictEqual(others, [])
          assert.strictEqual(filed?.responseExcerpt, '{"batch_index":1,"message":"bad"}')
          yield* pass(60)
          assert.deepStrictEqual(receiver.requests.map(namesIn), [eventNames(3), eventNames(3)])
        }),
      ),
  )
})

describe("a receiver that answers 429", () => {
  it.effect.each([
    ["seconds", () => "120"],
    ["a date", (now: number) => new Date(now + 2 * minuteMs).toUTCString()],
  ] as const)(
    "gets nothing before the time of Retry-After in %s, and then everything in order",
    ([, header]) =>
      withReceiver((receiver) =>
        Effect.gen(function* () {
          const forward = yield* forwardTo(receiver)
          receiver.react = ({ response }) =>
            void response.writeHead(429, { "retry-after": header(noon) }).end()
          yield* addEvents(forward, 3)
          yield* arriving(() => receiver.requests.length === 1)
          yield* untilAttempts(forward, "retrying", 3)
          const asked = yield* Clock.currentTimeMillis
          receiver.react = takeAll
          yield* addEvents(forward, 2, 3)
          yield* TestClock.setTime(noon + 2 * minuteMs - secondMs)
          yield* Effect.repeat(turn, { times: 20 })
          assert.strictEqual(receiver.requests.length, 1)
          yield* TestClock.setTime(asked + 2 * minuteMs + secondMs)
          yield* untilAttempts(forward, "delivered", 5)
          assert.deepStrictEqual(receiver.requests.slice(1).flatMap(namesIn), eventNames(5))
        }),
      ),
  )
})

describe("a receiver that is gone for an hour", () => {
  it.effect("gets everything once and in order afterwards, and is asked ever more rarely meanwhile", () =>
    withReceiver((receiver) =>
      Effect.gen(function* () {
        const forward = yield* forwardTo(receiver)
        const store = yield* WebhookStore
        yield* Effect.promise(() => receiver.close())
        yield* addEvents(forward, 150)
        const waits: Array<number> = []
        const hasFailed = Effect.map(attemptsOf(forward), (all) => all.length > 0)
        yield* going(hasFailed)
        while ((yield* Clock.currentTimeMillis) < noon + hourMs) {
          const attempts = waits.length + 1
          const held = Effect.orDie(store.held(deliveryKey(forward), 1))
          yield* until(Effect.map(held, ([head]) => head?.attempts === attempts))
          const [{ at, nextAt } = assert.fail("nothing was tried")] = (yield* attemptsOf(
            forward,
          )).toReversed()
          const next = nextAt ?? assert.fail("nothing waits")
          waits.push(next - at)
          yield* addEvents(forward, 10, 150 + (attempts - 1) * 10)
          yield* TestClock.setTime(next)
        }
        const expected = waits.map((_, n) => Math.min(secondMs * 2 ** n, 5 * minuteMs))
        for (const [n, wait] of waits.entries()) {
          assert.closeTo(wait, expected[n] ?? 0, (expected[n] ?? 0) / 10, `wait ${n}`)
        }
        assert.isAtMost(waits.length, 22)
        yield* Effect.promise(() => receiver.listen())
        const total = 150 + waits.length * 10
        yield* arriving(() => receiver.requests.flat().length >= total)
        yield* untilAttempts(forward, "delivered", total)
        const taken = receiver.requests.flat()
        assert.deepStrictEqual(namesIn(taken), eventNames(total))
        assert.strictEqual(new Set(taken.map(({ id }) => id)).size, total)
        for (let n = 0; n < people; n++) {
          const own = taken.filter(({ person }) => person === `p${n}`)
          const inOrder = eventNames(total).filter((_, at) => at % people === n)
          assert.deepStrictEqual(namesIn(own), inOrder)
        }
        assert.deepStrictEqual(yield* store.held(deliveryKey(forward), 1), [])
      }),
    ),
  )
})

const privateAddresses = [
  "127.0.0.1",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.1.1",
  "0.0.0.0",
  "224.0.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "fd00:ec2::254",
  "fe80::1",
]

describe("a host name that was public when the forward was made", () => {
  it.effect("gets nothing once it has an address that is not public, whichever", () => {
    let asked = 0
    const resolve: Resolve = (_host, done) => {
      const address = privateAddresses[asked++ % privateAddresses.length] ?? ""
      done(null, [{ address, family: address.includes(":") ? 6 : 4 }])
    }
    return withReceiver(
      (receiver) =>
        Effect.gen(function* () {
          const { port } = new URL(receiver.url)
          const forward = yield* forwardTo({ url: `http://rebind.test:${port}` })
          yield* addEvents(forward, 1)
          yield* arriving(() => asked > 0)
          for (let attempts = 1; attempts <= privateAddresses.length; attempts++) {
            yield* untilAttempts(forward, "retrying", attempts)
            yield* TestClock.adjust("6 minutes")
          }
          const excerpts = (yield* attemptsOf(forward)).map(({ responseExcerpt }) => responseExcerpt)
          for (const [n, address] of privateAddresses.entries()) {
            assert.include(excerpts[n], `rebind.test has the address ${address}, which is not public`)
          }
          assert.deepStrictEqual(receiver.requests, [])
        }),
      forwardsWith({ allowed: new BlockList(), resolve }),
    )
  })
})
