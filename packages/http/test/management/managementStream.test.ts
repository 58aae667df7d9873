import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { fromTheBeginning } from "@inlethq/contract/values/StreamPart"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { byId, event, identify } from "@inlethq/store-conformance/script/commands"
import { Effect, Fiber, Latch, Layer, PubSub, Queue, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { activityStream } from "../../src/management/activity/activityStream.ts"
import { Draining } from "../../src/management/node/Draining.ts"
import {
  apply,
  assertProblem,
  call,
  client,
  memory,
  newWorkspace,
  serverWith,
  token,
} from "./managementServer.ts"

/** Opens the activity stream of a workspace and collects its events. Disconnects when the scope closes. */
const follow = Effect.fnUntraced(function* (
  workspace: Workspace,
  options: {
    readonly after?: Sequence | typeof fromTheBeginning
    readonly name?: string
  } = {},
) {
  const api = yield* client
  const events = yield* api.activity.stream({
    params: { w: workspace.id },
    query: options.name === undefined ? {} : { name: options.name },
    headers: options.after === undefined ? {} : { "last-event-id": options.after },
  })
  const arrived = yield* Queue.unbounded<{ readonly id: Sequence; readonly name: string | null }>()
  const reader = yield* events.pipe(
    Stream.runForEach(({ data, id }) => Queue.offer(arrived, { id, name: data.name })),
    Effect.forkScoped,
  )
  return { names: Effect.map(Queue.take(arrived), ({ name }) => name), arrived, reader }
})

/** Opens the activity stream of a workspace and collects its raw lines, including ids and comments. */
const followLines = Effect.fnUntraced(function* (workspace: Workspace, query = "") {
  const path = `${managementPath}/workspaces/${workspace.id}/activity/stream${query}`
  const response = yield* HttpClient.execute(
    HttpClientRequest.get(path).pipe(HttpClientRequest.bearerToken(token)),
  )
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers["content-type"], "text/event-stream")
  assert.strictEqual(response.headers["cache-control"], "no-store")
  const lines = yield* Queue.unbounded<string>()
  const reader = yield* response.stream.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => Queue.offer(lines, line)),
    Effect.forkScoped,
  )
  return { line: Queue.take(lines), reader }
})

/** The number of open subscriptions to commits. */
let subscriptions = 0

const subscription = Effect.acquireRelease(
  Effect.sync(() => subscriptions++),
  () => Effect.sync(() => subscriptions--),
)

/** The memory store, and an ingestion service that counts the open subscriptions to commits. */
const counting = Layer.effect(
  Ingest,
  Effect.map(Ingest, (ingest) =>
    Ingest.of({ ...ingest, commits: (workspace) => Effect.andThen(subscription, ingest.commits(workspace)) }),
  ),
).pipe(Layer.provideMerge(memory))

/** Waits until exactly `count` subscriptions are open. The server ends subscriptions asynchronously. */
const subscribers = (count: number) =>
  Effect.repeat(Effect.yieldNow, { until: () => subscriptions === count })

layer(serverWith(counting))("the stream of activity", (it) => {
  it.effect("a stream starts with the next commit and sends the entries of all later commits in order", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* apply(event(byId("ada"), "before", { in: workspace }))
      const { names } = yield* follow(workspace)
      yield* apply(event(byId("ada"), "a", { in: workspace }), event(byId("ada"), "b", { in: workspace }))
      assert.strictEqual(yield* names, "a")
      assert.strictEqual(yield* names, "b")
      yield* apply(event(byId("ada"), "c", { in: workspace }))
      assert.strictEqual(yield* names, "c")
    }).pipe(Effect.scoped),
  )

  it.effect("if the log is empty, a stream of activity starts with the first commit", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const { names } = yield* follow(workspace)
      const { line } = yield* followLines(workspace)
      assert.strictEqual(yield* line, `id: ${fromTheBeginning}`)
      yield* apply(event(byId("ada"), "first", { in: workspace }))
      assert.strictEqual(yield* names, "first")
    }).pipe(Effect.scoped),
  )

  it.effect("a stream resumes after Last-Event-ID without losing or repeating entries", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const all = Array.from({ length: 250 }, (_, i) => `e${i}`)
      const seen: Array<string | null> = []
      let after: Sequence | typeof fromTheBeginning = fromTheBeginning
      yield* apply(...all.slice(0, 120).map((name) => event(byId("ada"), name, { in: workspace })))
      for (const takes of [1, 99, 100, 50]) {
        const writing = yield* Effect.forkChild(
          takes === 99
            ? apply(...all.slice(120).map((name) => event(byId("ada"), name, { in: workspace })))
            : Effect.void,
        )
        after = yield* Effect.scoped(
          Effect.gen(function* () {
            const { arrived } = yield* follow(workspace, { after })
            const taken = yield* Effect.replicateEffect(Queue.take(arrived), takes)
            seen.push(...taken.map(({ name }) => name))
            return taken.at(-1)?.id ?? after
          }),
        )
        yield* Fiber.join(writing)
      }
      assert.deepStrictEqual(seen, all)
    }),
  )

  it.effect("every client of a stream gets all entries that are committed while it is connected", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const all = Array.from({ length: 500 }, (_, i) => `e${i}`)
      const followers = yield* Effect.replicateEffect(follow(workspace), 5)
      yield* Effect.forkChild(
        Effect.forEach(all, (name) => apply(event(byId("ada"), name, { in: workspace })), { discard: true }),
      )
      for (const { names } of followers) {
        assert.deepStrictEqual(yield* Effect.replicateEffect(names, all.length), all)
      }
    }).pipe(Effect.scoped),
  )

  it.effect("a stream sends only the entries of its workspace that match the filter", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const other = yield* newWorkspace
      const { arrived, names } = yield* follow(workspace, { name: "wanted" })
      yield* apply(
        event(byId("ada"), "other", { in: workspace }),
        event(byId("ada"), "wanted", { in: other }),
        event(byId("ada"), "wanted", { in: workspace }),
        identify(byId("ada"), [], { in: workspace }),
        event(byId("ada"), "wanted", { in: workspace }),
      )
      assert.strictEqual(yield* names, "wanted")
      assert.strictEqual(yield* names, "wanted")
      assert.strictEqual(yield* Queue.size(arrived), 0)
    }).pipe(Effect.scoped),
  )

  it.effect(
    "a stream starts with a heartbeat that has an id to resume from, and sends further heartbeats while idle",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(event(byId("ada"), "before", { in: workspace }))
        const { line } = yield* followLines(workspace, "?kind=page")
        const heartbeat = Effect.gen(function* () {
          const [id, ...rest] = [yield* line, yield* line, yield* line]
          assert.match(id, /^id: [1-9]\d*$/)
          assert.deepStrictEqual(rest, [": here", ""])
          return id
        })
        const first = yield* heartbeat
        yield* apply(event(byId("ada"), "no page", { in: workspace }))
        const time = Effect.forever(TestClock.adjust("15 seconds"))
        // The new entry does not match the filter, so the stream does not send it. The id of the next heartbeat still
        // changes.
        yield* Effect.repeat(Effect.raceFirst(heartbeat, time), { until: (id) => id !== first })
      }).pipe(Effect.scoped),
  )

  it.effect("a stream sends heartbeats while commits arrive that do not match its filter", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const commits = yield* PubSub.unbounded<Sequence>()
      const arrived = yield* Queue.unbounded<string>()
      const parts = activityStream({
        catalog: yield* Catalog,
        turns: yield* Turns,
        brand: "svc",
        commits: PubSub.subscribe(commits),
        workspace: workspace.id,
        exists: Effect.succeed(true),
        stored: { ...noFilter, name: "wanted" },
        matches: null,
        after: null,
      })
      yield* parts.pipe(
        Stream.runForEach(({ id }) => Queue.offer(arrived, id)),
        Effect.forkScoped,
      )
      assert.strictEqual(yield* Queue.take(arrived), fromTheBeginning)
      const noise = Effect.gen(function* () {
        const [entry] = yield* apply(event(byId("ada"), "noise", { in: workspace }))
        if (entry !== undefined) yield* PubSub.publish(commits, entry.sequence)
        yield* TestClock.adjust("10 seconds")
      })
      assert.match(yield* Effect.raceFirst(Queue.take(arrived), Effect.forever(noise)), /^[1-9]/)
    }).pipe(Effect.scoped),
  )

  it.effect("a stream ends at the next heartbeat after its workspace was deleted", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* newWorkspace
      const { reader } = yield* followLines(workspace)
      yield* Registry.use((registry) => registry.deleteWorkspace(workspace.id, 0))
      yield* Effect.raceFirst(Fiber.await(reader), Effect.forever(TestClock.adjust("15 seconds")))
    }).pipe(Effect.scoped),
  )

  it.effect(
    "a stream continues after the last entry it has read, even if a commit announces a later log position",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const commits = yield* PubSub.unbounded<Sequence>()
        const arrived = yield* Queue.unbounded<string | null>()
        const parts = activityStream({
          catalog: yield* Catalog,
          turns: yield* Turns,
          brand: "svc",
          commits: PubSub.subscribe(commits),
          workspace: workspace.id,
          exists: Effect.succeed(true),
          stored: noFilter,
          matches: null,
          after: null,
        })
        yield* parts.pipe(
          Stream.runForEach(({ data }) => Queue.offer(arrived, data)),
          Effect.forkScoped,
        )
        const next = Effect.repeat(Queue.take(arrived), { until: (data) => data !== null })
        yield* apply(event(byId("ada"), "a", { in: workspace }))
        yield* PubSub.publish(commits, Sequence.make(1_000_000))
        assert.include(yield* next, '"name":"a"')
        yield* PubSub.publish(commits, Sequence.make(1_000_000))
        yield* apply(event(byId("ada"), "b", { in: workspace }))
        yield* PubSub.publish(commits, Sequence.make(1_000_000))
        assert.include(yield* next, '"name":"b"')
      }).pipe(Effect.scoped),
  )

  it.effect("a stream ends its subscription to commits when the client disconnects", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* subscribers(0)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* follow(workspace)
          yield* follow(workspace)
          yield* subscribers(2)
        }),
      )
      yield* subscribers(0)
    }),
  )

  it.effect("a stream rejects an invalid Last-Event-ID and a wrong token", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const answer = yield* call("GET", `/workspaces/${id}/activity/stream`, {
        headers: { "last-event-id": "nonsense" },
      })
      assertProblem(answer, 400, "Bad Request", /^last-event-id: /)
      const stranger = yield* call("GET", `/workspaces/${id}/activity/stream`, {
        headers: { authorization: "Bearer wrong" },
      })
      assert.strictEqual(stranger.status, 401)
    }),
  )
})

const stopping = Latch.makeUnsafe(false)

layer(serverWith(memory).pipe(Layer.provide(Layer.succeed(Draining, stopping.await))))(
  "an activity stream on a stopping server",
  (it) => {
    it.effect("a stream of activity ends when the server begins to stop", () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const { reader } = yield* follow(workspace)
        yield* stopping.open
        yield* Fiber.join(reader)
      }).pipe(Effect.scoped),
    )
  },
)
