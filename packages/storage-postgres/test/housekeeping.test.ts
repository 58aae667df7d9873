import { assert, it } from "@effect/vitest"
import { Store } from "@inlet/core/ports/Store"
import { visitorRetentionMs } from "@inlet/core/state/Subject"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  noon,
  remove,
  workspaceOf,
} from "@inlet/store-conformance/commands"
import { activity, apply } from "@inlet/store-conformance/scenario"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

/** The number of tasks of housekeeping. Each round begins with another task. */
const rounds = 4

describeServers("housekeeping", (server) => {
  it.live.each([2, 3, 4])(
    "in each of %s workspaces with many deleted people, housekeeping removes an expired visitor within four rounds",
    (count) =>
      Effect.gen(function* () {
        const workspaces = Array.from({ length: count }, (_, n) => workspaceOf(n + 1))
        const ids = Array.from({ length: 20 }, (_, n) => byId(`person ${n}`))
        for (const workspace of workspaces) {
          const expired = { in: workspace, receivedAt: noon - visitorRetentionMs - 1 }
          yield* apply(
            event(byAnonymousId("visitor"), "seen", expired),
            ...ids.map((id) => identify(id, [], { in: workspace })),
            ...ids.map((id) => remove(id, { in: workspace })),
          )
        }
        const store = yield* Store
        for (let step = 0; step < rounds * count; step++) yield* store.sweep(noon)
        for (const workspace of workspaces) {
          assert.isEmpty(yield* activity({ name: "seen" }, { workspace }))
        }
      }).pipe(Effect.provide(emptyStore(server, { sweepRowsMax: 7 }))),
  )
})
