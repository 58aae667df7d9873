import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { type Sequence, svcIdText } from "@inlethq/core/values/Identifier"
import { entryMatcher } from "@inlethq/log/filter/matchFilter"
import { parseFilter } from "@inlethq/log/filter/parseFilter"
import {
  byAnonymousId,
  byId,
  bySvcId,
  deleteObject,
  event,
  identify,
  identifyObject,
  merge,
  objectOf,
  reject,
  relate,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { Effect, Queue, Result, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import {
  apply,
  assertProblem,
  call,
  client,
  newWorkspace,
  readPages,
  server,
  token,
} from "./managementServer.ts"

/** The largest number of entries that are examined for one page. */
const examinedMax = 10_000

/** Returns the term for a field with exactly this text. */
const exactly = (key: "reason" | "rule", text: string): string =>
  `${key}:"${text.replaceAll(/["*\\]/g, "\\$&")}"`

layer(server)("filtered activity", (it) => {
  it.effect("the management API lists the entries that meet every term of a filter", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const [ada] = yield* apply(
        identify(byId("ada"), [], { in: workspace, email: "ada@example.com" }),
        event(byId("ada"), "Order Placed", { in: workspace }),
        event(byId("bob"), "Order Placed", { in: workspace }),
        event(bySvcId(999), "Order Placed", { in: workspace }),
      )
      if (ada?.subject == null) return assert.fail("nothing was recorded")
      const names = (
        filter: string,
        query: Omit<Parameters<typeof api.activity.list>[0]["query"], "filter"> = {},
      ) =>
        api.activity
          .list({ params: { w: workspace.id }, query: { ...query, filter } })
          .pipe(Effect.map(({ items }) => items.map(({ kind, subject }) => `${kind} ${subject.id}`)))
      const placed = ["event bob", "event ada"]
      assert.deepStrictEqual(yield* names('name:"Order Placed" -outcome:dropped'), placed)
      assert.deepStrictEqual(yield* names("kind:event person:ada"), ["event ada"])
      assert.deepStrictEqual(yield* names("person:ADA@example.com", { order: "asc" }), [
        "identify ada",
        "event ada",
      ])
      assert.deepStrictEqual(yield* names("kind:event outcome:dropped"), ["event null"])
      assert.deepStrictEqual(yield* names("kind:event", { kind: "identify" }), [])
      assert.deepStrictEqual(yield* names("Order -reason:*", { limit: 1 }), ["event bob"])
      const ofAda = yield* api.people.activity({
        params: { w: workspace.id, svc_id: svcIdText(workspace.id, ada.subject) },
        query: { filter: "-kind:identify" },
      })
      assert.deepStrictEqual(
        ofAda.items.map(({ kind }) => kind),
        ["event"],
      )
    }),
  )

  it.effect("the management API pages through filtered entries in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const names = ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"]
      yield* apply(...names.map((name) => event(byId("ada"), name, { in: workspace })))
      const wanted = names.filter((name) => name.startsWith("a"))
      for (const order of ["asc", "desc"] as const) {
        const path = `/workspaces/${workspace.id}/activity`
        const seen = yield* readPages(path, `filter=name:a*&order=${order}`, "name")
        assert.deepStrictEqual(seen, order === "asc" ? wanted : wanted.toReversed())
      }
    }),
  )

  it.effect(
    "the management API examines a limited number of entries for each page, and continues on the next page",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const other = (n: number) => event(byId("ada"), `e${n}`, { in: workspace })
        yield* apply(event(byId("ada"), "wanted", { in: workspace }))
        for (let n = 0; n < examinedMax; n += 500) {
          const batch = Array.from({ length: 500 }, (_, i) => other(n + i))
          yield* Ingest.use((ingest) => ingest.submit(batch, 100))
        }
        const read = (after: Sequence | null) =>
          api.activity.list({
            params: { w: workspace.id },
            query: { filter: "name:want*", ...(after === null ? {} : { after }) },
          })
        const first = yield* read(null)
        assert.deepStrictEqual(first.items, [])
        assert.isNotNull(first.next)
        const { items: log } = yield* api.activity.list({
          params: { w: workspace.id },
          query: { limit: 3, order: "asc" },
        })
        assert.deepStrictEqual(
          first.searched_to,
          log
            .filter(({ name }) => name === "e0")
            .map(({ received_at: at, sequence }) => ({ sequence, at }))[0],
        )
        const second = yield* read(first.next)
        assert.deepStrictEqual(
          second.items.map(({ name }) => name),
          ["wanted"],
        )
        assert.deepStrictEqual([second.next, second.searched_to], [null, null])
        const indexed = yield* api.activity.list({
          params: { w: workspace.id },
          query: { filter: "name:wanted" },
        })
        assert.deepStrictEqual(
          indexed.items.map(({ name }) => name),
          ["wanted"],
        )
      }),
  )

  it.effect(
    "the management API streams only the entries that match a filter, but the position of the stream also advances past all other entries",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const path = `${managementPath}/workspaces/${workspace.id}/activity/stream?filter=-name:noise`
        const response = yield* HttpClient.execute(
          HttpClientRequest.get(path).pipe(HttpClientRequest.bearerToken(token)),
        )
        const lines = yield* Queue.unbounded<string>()
        yield* response.stream.pipe(
          Stream.decodeText,
          Stream.splitLines,
          Stream.runForEach((line) => Queue.offer(lines, line)),
          Effect.forkScoped,
        )
        const nextWith = (text: string) =>
          Effect.repeat(Queue.take(lines), { until: (line: string) => line.includes(text) })
        yield* nextWith("id: 0")
        yield* apply(event(byId("ada"), "noise", { in: workspace }))
        const time = Effect.forever(TestClock.adjust("15 seconds"))
        yield* Effect.raceFirst(nextWith("id: 1"), time)
        assert.strictEqual(yield* Queue.take(lines), ": here")
        yield* apply(event(byId("ada"), "wanted", { in: workspace }))
        yield* nextWith('"name":"wanted"')
      }).pipe(Effect.scoped),
  )

  it.effect("a filter finds what a scan of the whole log finds, whoever has the identifiers now", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const at = { in: workspace }
      yield* apply(
        event(byAnonymousId("cookie"), "seen", at),
        event(byId("bob"), "waited", at),
        identify(byId("ada"), [], { ...at, email: "Ada@example.com", anonymousId: "cookie" }),
        identify(byId("bob"), [], { ...at, email: "bob@example.com" }),
        identify(byId("eve"), [], at),
        event(byId("eve"), "both", { ...at, anonymousId: "cookie" }),
        event(byId("eve"), "both", { ...at, anonymousId: "another" }),
        identify(byId("bob"), [], { ...at, email: "ada@example.com" }),
        merge(byId("ada"), byId("eve"), at),
        identifyObject(objectOf("1", "acme"), [["n", 1]], [[byId("bob")]], at),
        identifyObject(objectOf("2", "acme"), [["n", 1]], [], at),
        relate(byId("ada"), [[objectOf("1", "a/b")]], at),
        deleteObject(objectOf("2", "acme"), at),
        remove(byId("bob"), at),
        reject(at),
      )
      const everything = yield* api.activity.list({ params: { w: workspace.id }, query: { limit: 100 } })
      const ids = new Set(everything.items.flatMap(({ subject }) => subject.svc_id ?? []))
      const filters = [
        "cookie",
        "another",
        "ada",
        "bob",
        "eve",
        "ADA@example.com",
        "bob@example.com",
        ...[...ids].flatMap((id) => [id, `svc_${id}`, `cio_${id}`]),
      ].map((text) => `person:${text}`)
      filters.push(
        "person:ada,another kind:event",
        "object:acme",
        "object:2/acme",
        "object:1/a/b",
        "object:a/b",
      )
      filters.push("reason:*", "reason:*missing*", "-reason:*", "person:ada -kind:event", "person:a*")
      for (const { reason, rule } of everything.items) {
        if (reason !== null) filters.push(exactly("reason", reason))
        if (rule !== null) filters.push(exactly("rule", rule))
      }
      for (const filter of filters) {
        const matches = entryMatcher(Result.getOrThrow(parseFilter(filter)))
        const { items } = yield* api.activity.list({
          params: { w: workspace.id },
          query: { limit: 100, filter },
        })
        assert.deepStrictEqual(
          items.map(({ operation_id }) => operation_id),
          everything.items.filter(matches).map(({ operation_id }) => operation_id),
          filter,
        )
      }
      assert.strictEqual(ids.size, 2)
    }),
  )

  it.effect(
    "a person, an object, a rule and a reason are found on the first page behind more operations than a page examines",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const at = { in: workspace }
        yield* apply(identify(byId("bob"), [], at), event(byId("bob"), "seen", at))
        yield* apply(identifyObject(objectOf("1", "acme"), [["n", 1]], [], at), reject(at))
        for (let n = 0; n < examinedMax + 500; n += 500) {
          const batch = Array.from({ length: 500 }, () => event(byId("ada"), "noise", at))
          yield* Ingest.use((ingest) => ingest.submit(batch, 100))
        }
        const found = (filter: string) =>
          api.activity
            .list({ params: { w: workspace.id }, query: { filter } })
            .pipe(Effect.map(({ items, next }) => [items.map(({ sequence }) => Number(sequence)), next]))
        assert.deepStrictEqual(yield* found("person:bob"), [[2, 1], null])
        assert.deepStrictEqual(yield* found("object:acme"), [[3], null])
        assert.deepStrictEqual(yield* found('rule:"track-api §2.2"'), yield* found("kind:object_identify"))
        assert.deepStrictEqual(yield* found("reason:*"), [[4], null])
      }),
  )

  it.effect("a full page of filtered activity says how far it has searched, in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* apply(...[1, 2, 3].map((n) => event(byId("ada"), `e${n}`, { in: workspace })))
      for (const order of ["asc", "desc"] as const) {
        for (const filter of ["kind:event", "kind:event -name:e9"]) {
          const query = { filter, order, limit: 2 }
          const page = yield* api.activity.list({ params: { w: workspace.id }, query })
          const last = page.items.at(-1)
          assert.deepStrictEqual(page.searched_to, { sequence: last?.sequence, at: last?.received_at })
        }
        const page = yield* api.activity.list({ params: { w: workspace.id }, query: { order, limit: 2 } })
        assert.isNull(page.searched_to)
      }
    }),
  )

  it.effect("the management API responds with 400 to an invalid filter and names the invalid term", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      for (const path of ["activity", "activity/stream"]) {
        const answer = yield* call(
          "GET",
          `/workspaces/${workspace.id}/${path}?filter=kind:event%20colour:red`,
        )
        assertProblem(answer, 400, "Bad Request", /^filter: `colour:red` at character 12 has an unknown key/)
      }
    }),
  )
})
