import { assert, layer } from "@effect/vitest"
import { deliveryKey } from "@inlethq/core/forward/Forward"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { kafkaCursor, LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { hourMs, minuteMs, toIso } from "@inlethq/core/values/Timestamp"
import { eventPosition } from "@inlethq/core/webhook/EventPosition"
import { byId, identify, remove } from "@inlethq/store-conformance/script/commands"
import { webhookOf } from "@inlethq/store-conformance/tables/webhookLaws"
import { forwardOf } from "@inlethq/store-conformance/tables/forwardLaws"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { Sender } from "@inlethq/outbound/sending/Sender"
import { BlockList } from "node:net"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  apply,
  call,
  client,
  idleWebhooksWith,
  memory,
  newWorkspace,
  serverWith,
} from "./managementServer.ts"

const stores = idleWebhooksWith(Sender.layerWith({ allowed: new BlockList() }))
const server = serverWith(memory, stores).pipe(Layer.provideMerge(stores), Layer.provideMerge(memory))

const ada = byId("ada")

const hourOf = (destination: string, hour: number) => ({
  destination,
  hour,
  entries: 7,
  lagEntries: 9,
  lagMs: 1500,
})

/** A workspace with a destination of each kind, of which none has sent anything of its log. */
const withDestinations = Effect.gen(function* () {
  yield* TestClock.setTime(5 * minuteMs)
  const created = yield* newWorkspace
  const w = created.id
  yield* Registry.use((registry) =>
    registry.updateWorkspace(created, {
      ...created,
      kafka: { topic: "activity" },
      lake: { target: "folder", url: "/tmp/lake", erasureDays: 30 },
    }),
  )
  const webhook = webhookOf("one", { workspace: w, name: "Warehouse", url: "https://one.example/in?key=1" })
  const forward = forwardOf("two", { workspace: w, name: "hosted", url: "https://two.example" })
  yield* (yield* WebhookStore).create(webhook, eventPosition(Sequence.make(1), 3))
  yield* (yield* ForwardStore).create(forward, eventPosition(Sequence.make(1), 3))
  return { w, webhook, forward, workspace: { ...created, id: w } }
})

const listOf = (w: WorkspaceId, query = {}) =>
  Effect.flatMap(client, ({ destinations }) => destinations.list({ params: { w }, query }))

layer(server)("destinations in the management API", (it) => {
  it.effect("a workspace without destinations has none", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      assert.deepStrictEqual(yield* listOf(id), { items: [], next: null })
    }),
  )

  it.effect("each destination says what it has still to send, and for how long it has waited", () =>
    Effect.gen(function* () {
      const { w, workspace } = yield* withDestinations
      const here = { in: workspace, receivedAt: 0 }
      yield* apply(identify(ada, [], here), identify(ada, [["plan", "pro"]], here))
      yield* LogCursors.use((cursors) => cursors.advance(kafkaCursor(w), Sequence.make(2), null))
      const { items } = yield* listOf(w)
      assert.deepStrictEqual(
        items.map(({ kind, lag_seconds, name, waiting }) => [kind, name, waiting.entries, lag_seconds]),
        [
          ["forward", "hosted", 1, 300],
          ["webhook", "Warehouse", 1, 300],
          ["kafka", "activity", 0, 0],
          ["lake", "folder", 2, 300],
        ],
      )
      assert.deepStrictEqual(
        items.map(({ hours, kind, last_error }) => [kind, hours, last_error]),
        [
          ["forward", [], null],
          ["webhook", [], null],
          ["kafka", [], "INLET_KAFKA is not set on this server, so it copies nothing."],
          ["lake", [], null],
        ],
      )
    }),
  )

  it.effect(
    "the last error of a forward is shown until it delivers, and never about somebody who was erased",
    () =>
      Effect.gen(function* () {
        const { forward, w, workspace } = yield* withDestinations
        const here = { in: workspace, receivedAt: 0 }
        yield* apply(identify(ada, [], here), identify(ada, [["plan", "pro"]], here))
        const position = eventPosition(Sequence.make(2), 0)
        const attempt = {
          position,
          eventId: "op",
          operationId: "op",
          number: 1,
          at: 0,
          status: "failed" as const,
          responseStatus: 400,
          durationMs: 3,
          responseExcerpt: "ada is wrong",
          nextAt: null,
        }
        const progress = { position, ahead: [] }
        const store = yield* WebhookStore
        const record = (status: "failed" | "delivered") =>
          store.record([{ ...deliveryKey(forward), progress, held: null, attempt: { ...attempt, status } }])
        const error = Effect.map(listOf(w), ({ items }) => items[0]?.last_error)
        yield* record("failed")
        assert.strictEqual(yield* error, "400 ada is wrong")
        yield* apply(remove(ada, here))
        assert.strictEqual(yield* error, "400")
        yield* record("delivered")
        assert.isNull(yield* error)
      }),
  )

  it.effect("the last 24 hours are shown, of each destination its own", () =>
    Effect.gen(function* () {
      const { w } = yield* withDestinations
      const now = 0
      const hours = yield* DestinationHours
      yield* hours.add(w, [
        hourOf("webhook:one", now - 24),
        hourOf("webhook:one", now - 23),
        hourOf("webhook:one", now),
        hourOf("lake", now - 1),
      ])
      const shown = { entries: 7, lag_entries: 9, lag_seconds: 1.5 }
      const { items } = yield* listOf(w)
      assert.deepStrictEqual(
        items.map(({ hours, kind }) => [kind, hours]),
        [
          ["forward", []],
          [
            "webhook",
            [
              { at: toIso(-23 * hourMs), ...shown },
              { at: toIso(0), ...shown },
            ],
          ],
          ["kafka", []],
          ["lake", [{ at: toIso(-hourMs), ...shown }]],
        ],
      )
    }),
  )

  it.effect("the list has pages, and shows the query of a URL to admins only", () =>
    Effect.gen(function* () {
      const { w } = yield* withDestinations
      const names: Array<string> = []
      let page = yield* listOf(w, { limit: 1 })
      for (;;) {
        names.push(...page.items.map(({ kind }) => kind))
        if (page.next === null) break
        page = yield* listOf(w, { limit: 1, after: page.next })
      }
      assert.deepStrictEqual(names, ["forward", "webhook", "kafka", "lake"])
      const reversed = yield* listOf(w, { order: "asc" })
      assert.deepStrictEqual(
        reversed.items.map(({ kind }) => kind),
        ["lake", "kafka", "webhook", "forward"],
      )
      const { tokens } = yield* client
      const { token } = yield* tokens.create({ payload: { name: "read", scope: "read", workspaces: [w] } })
      const answer = yield* call("GET", `/workspaces/${w}/destinations`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.include(JSON.stringify(answer.json), "https://one.example/in?…")
      assert.include(JSON.stringify(reversed), "https://one.example/in?key=1")
    }),
  )
})
