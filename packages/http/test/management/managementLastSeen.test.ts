import { assert, layer } from "@effect/vitest"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  identifyObject,
  merge,
  objectOf,
  remove,
  unmerge,
} from "@inlethq/store-conformance/script/commands"
import { hour } from "@inlethq/store-conformance/script/script"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { apply, call, client, newWorkspace, server, svcIdOf } from "./managementServer.ts"

/** The time of the first calls. It is not long after 1970, because the clock passes everything that is scheduled up to it. */
const start = 400 * hour

const [ada, bob] = [byId("ada"), byId("bob")]

const onPage = (path: string): Provenance => ({
  context: { page: { path }, library: { name: "js" } },
  geo: { country: "DE" },
})
const inApp: Provenance = {
  context: { app: { name: "Shop", version: "2.1" }, device: { manufacturer: "Apple", model: "iPhone15,2" } },
}
const onServer: Provenance = { context: { library: { name: "node" } } }

/** Returns a function that gives the envelope of a call some hours after the start. */
const inWorkspace = (workspace: Workspace) => (hours: number, provenance?: Provenance) => ({
  in: workspace,
  receivedAt: start + hours * hour,
  ...(provenance !== undefined && { provenance }),
})

const seenOn = (path: string, hours: number) => ({
  at: toIso(start + hours * hour),
  page: path,
  app: null,
  device: null,
  country: "DE",
})

const lastSeenOf = Effect.fnUntraced(function* (
  { id: w }: Workspace,
  svc_id: string,
  query: { readonly at?: string; readonly position?: Sequence } = {},
) {
  const { last_seen } = yield* (yield* client).people.get({ params: { w, svc_id }, query })
  return last_seen
})

layer(server)("where a person was last seen", (it) => {
  it.effect("is what the newest call tells that tells anything", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 20 * hour)
      const workspace = yield* newWorkspace
      const given = inWorkspace(workspace)
      const svcId = svcIdOf((yield* apply(identify(ada, [], given(0))))[0])
      assert.isNull(yield* lastSeenOf(workspace, svcId))
      yield* apply(event(ada, "clicked", given(1, onPage("/pricing"))))
      yield* apply(event(ada, "charged", given(2, onServer)), event(ada, "imported", given(3)))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, svcId), seenOn("/pricing", 1))
      yield* apply(event(ada, "opened", given(4, inApp)))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, svcId), {
        at: toIso(start + 4 * hour),
        page: null,
        app: "Shop 2.1",
        device: "Apple iPhone15,2",
        country: null,
      })
      yield* apply(...Array.from({ length: 60 }, (_, n) => event(ada, "imported", given(5 + n / 60))))
      assert.include(yield* lastSeenOf(workspace, svcId), { app: "Shop 2.1" })
    }),
  )

  it.effect("is not what the call of somebody else about the same object tells", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 20 * hour)
      const workspace = yield* newWorkspace
      const given = inWorkspace(workspace)
      const acme = objectOf("1", "acme")
      const people = yield* apply(identify(ada, [], given(0)), identify(bob, [], given(0)))
      yield* apply(identifyObject(acme, [], [[bob], [ada]], given(1, onPage("/join"))))
      const seen = yield* Effect.forEach(people, (made) => lastSeenOf(workspace, svcIdOf(made)))
      assert.deepStrictEqual(seen, [null, { ...seenOn("/join", 1) }])
    }),
  )

  it.effect("follows visitors, merges, their ends and deletions, now and as of earlier", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 20 * hour)
      const workspace = yield* newWorkspace
      const given = inWorkspace(workspace)
      const [, created, other] = yield* apply(
        event(byAnonymousId("cookie"), "clicked", given(0, onPage("/visitor"))),
        identify(ada, [], { ...given(1), anonymousId: "cookie" }),
        identify(bob, [], given(2, onPage("/bob"))),
      )
      const [first, second] = [svcIdOf(created), svcIdOf(other)]
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first), seenOn("/visitor", 0))
      const [merged] = yield* apply(merge(ada, bob, given(3)))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first), seenOn("/bob", 2))
      const before = { at: toIso(start + 2.5 * hour) }
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first, before), seenOn("/visitor", 0))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, second, before), seenOn("/bob", 2))
      const receipt = merged === undefined ? null : mergeIn(merged)
      if (merged === undefined || receipt === null) return assert.fail("the merge has no receipt")
      yield* apply(event(ada, "clicked", given(4, onPage("/late"))), unmerge(receipt, given(5)))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first), seenOn("/late", 4))
      assert.deepStrictEqual(yield* lastSeenOf(workspace, second), seenOn("/bob", 2))
      const asOfMerge = { position: merged.sequence }
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first, asOfMerge), seenOn("/bob", 2))
      yield* apply(remove(bob, given(6)))
      const gone = yield* call("GET", `/workspaces/${workspace.id}/people/${second}`)
      assert.notInclude(JSON.stringify(gone.json), "/bob")
      assert.deepStrictEqual(yield* lastSeenOf(workspace, first), seenOn("/late", 4))
    }),
  )
})
