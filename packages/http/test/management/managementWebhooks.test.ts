import { assert, layer } from "@effect/vitest"
import { Sender } from "@inlethq/outbound/sending/Sender"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Deferred, Effect, Fiber, Layer, Option, Ref } from "effect"
import { call, client, idleWebhooksWith, memory, newWorkspace, serverWith } from "./managementServer.ts"

/** Holds back the answer to a change of an address, as a slow DNS server does. */
const slow = {
  asked: Deferred.makeUnsafe<void>(),
  answered: Deferred.makeUnsafe<void>(),
}

const sender = Layer.effect(
  Sender,
  Effect.map(Ref.make(0), (checks) => ({
    send: () => Effect.die("nothing is sent"),
    refusalOf: () =>
      Effect.gen(function* () {
        // The first address is that of the new webhook.
        if ((yield* Ref.getAndUpdate(checks, (n) => n + 1)) === 1) {
          yield* Deferred.succeed(slow.asked, undefined)
          yield* Deferred.await(slow.answered)
        }
        return null
      }),
  })),
)

const webhooks = idleWebhooksWith(sender)
const server = serverWith(memory, webhooks).pipe(Layer.provideMerge(webhooks))

layer(server)("changes of one webhook at the same time", (it) => {
  it.effect("a slow change of the address keeps a secret that was replaced in between", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const api = yield* client
      const { id } = yield* newWorkspace
      const payload = {
        name: "Orders",
        url: "https://one.example/",
        kind: "reporting",
        events: ["*"],
      } as const
      const { webhook_id } = yield* api.webhooks.create({ params: { w: id }, payload })
      const params = { w: id, webhook_id }
      const stored = Effect.map(store.webhook({ workspace: id, webhookId: webhook_id }), Option.getOrThrow)
      const url = "https://two.example/"
      const change = yield* Effect.forkChild(api.webhooks.update({ params, payload: { url } }))
      yield* Deferred.await(slow.asked)
      yield* api.webhooks.rotateSecret({ params, payload: { overlap_seconds: 60 } })
      const rotated = yield* stored
      yield* Deferred.succeed(slow.answered, undefined)
      yield* Fiber.join(change)
      assert.deepStrictEqual(yield* stored, { ...rotated, url, updatedAt: rotated.updatedAt + 1 })
    }),
  )

  it.effect("only admins see the query of a webhook's URL", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const url = "https://hooks.example/in?key=secret"
      const body = { name: "Orders", url, events: ["*"], kind: "reporting" }
      const created = yield* call("POST", `/workspaces/${id}/webhooks`, { body })
      assert.strictEqual(created.status, 201)
      const shownTo = Effect.fnUntraced(function* (scope: "admin" | "write" | "read") {
        const api = yield* client
        const payload = { name: scope, scope, workspaces: [id] }
        const { token } = yield* api.tokens.create({ payload })
        const headers = { authorization: `Bearer ${token}` }
        return JSON.stringify((yield* call("GET", `/workspaces/${id}/webhooks`, { headers })).json)
      })
      assert.include(yield* shownTo("admin"), url)
      for (const scope of ["read", "write"] as const)
        assert.include(yield* shownTo(scope), '"https://hooks.example/in?…"')
    }),
  )
})
