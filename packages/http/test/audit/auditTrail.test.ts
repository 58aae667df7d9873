import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { Effect, Layer } from "effect"
import { HttpClient, HttpServer, HttpServerResponse } from "effect/http"
import { AuditTrail, unknownActor } from "../../src/audit/AuditTrail.ts"
import { note } from "../../src/audit/note.ts"
import { defaultSettings } from "../ingestion/ingestionLayers.ts"
import { memory } from "../management/managementServer.ts"

const begun = { action: "key.create", actor: unknownActor, workspace: null, target: null } as const

const trail = Layer.mergeAll(
  AuditTrail.layer.pipe(Layer.provideMerge(memory), Layer.provide(defaultSettings)),
  NodeHttpServer.layerTest,
)

layer(trail)("the record of an interrupted action", (it) => {
  it.effect("says what the action was about, but not how it ended", () =>
    Effect.gen(function* () {
      const { record } = yield* AuditTrail
      const answer = Effect.andThen(note({ target: { id: "k1", name: "web" } }), Effect.interrupt)
      yield* HttpServer.serveEffect(Effect.as(Effect.exit(record(begun, answer)), HttpServerResponse.empty()))
      yield* HttpClient.get("/")
      const log = yield* AuditLog
      const { items } = yield* log.read("everything", { after: null, limit: 10, order: "asc" })
      assert.deepStrictEqual(
        items.map(({ outcome, status, target }) => ({ outcome, status, target })),
        [{ outcome: "begun", status: null, target: { id: "k1", name: "web" } }],
      )
    }),
  )
})
