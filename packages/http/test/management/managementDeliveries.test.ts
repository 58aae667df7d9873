import { assert, layer } from "@effect/vitest"
import { segmentOfId } from "@inlethq/contract/values/pathSegments"
import { byId, identify, merge, remove, report } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import {
  apply,
  assertProblem,
  call,
  client,
  newWorkspace,
  readPages,
  receivedAt,
  server,
  svcIdOf,
} from "./managementServer.ts"

/**
 * The receipt time of the first commands. The test clock is at 1970 and receipt times never go back, so later commands
 * get the same receipt time.
 */
const registeredAt = "2027-01-15T08:00:00.000Z"

const sources = {
  action_id: 1,
  journey_id: 2,
  parent_action_id: 3,
  campaign_id: 4,
  broadcast_id: 5,
  newsletter_id: 6,
  transactional_message_id: 7,
  content_id: 8,
  trigger_id: 9,
  trigger_event_id: "01H",
}

layer(server)("deliveries in the management API", (it) => {
  it.effect("contract §11: the management API registers a delivery with all of its fields", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [ada] = yield* apply(
        identify(byId("ada"), [["name", "Ada Lovelace"]], { in: workspace, email: "ada@example.com" }),
      )
      const svc_id = svcIdOf(ada)
      const path = `/workspaces/${workspace.id}/deliveries`
      const about = { recipient: "ada@example.com", subject: "Hello" }
      for (const [id, person] of [
        ["d1", { id: "ada" }],
        ["d2", { email: "ADA@example.com" }],
        ["d3", { svc_id }],
      ] as const) {
        assertProblem(yield* call("GET", `${path}/${id}`), 404, "Not Found", /delivery not found/)
        const body = { channel: "email", person, ...about, ...sources }
        const answer = yield* call("PUT", `${path}/${id}`, { body })
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(answer.json, {
          delivery_id: id,
          channel: "email",
          svc_id,
          name: "Ada Lovelace",
          ...about,
          metrics: {},
          ...sources,
          created_at: registeredAt,
          updated_at: registeredAt,
        })
        assert.deepStrictEqual((yield* call("GET", `${path}/${id}`)).json, answer.json)
      }
    }),
  )

  it.effect(
    "contract §11: the management API creates a delivery on its first report, and stores the earliest time of each metric",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const path = `/workspaces/${workspace.id}/deliveries`
        yield* apply(
          report("d", "opened", { in: workspace, at: 1_600_000_001_000 }),
          report("d", "opened", { in: workspace, at: 1_600_000_000_000 }),
          report("d", "clicked", { in: workspace, at: 1_600_000_002_000 }),
        )
        const reported = {
          delivery_id: "d",
          channel: null,
          svc_id: null,
          name: null,
          recipient: null,
          subject: null,
          metrics: {
            opened: { first_at: "2020-09-13T12:26:40.000Z", count: 2 },
            clicked: { first_at: "2020-09-13T12:26:42.000Z", count: 1 },
          },
          created_at: receivedAt,
          updated_at: receivedAt,
        }
        assert.deepStrictEqual((yield* call("GET", `${path}/d`)).json, reported)
        assert.deepStrictEqual((yield* call("GET", path)).json, { items: [reported], next: null })
        const answer = yield* call("PUT", `${path}/d`, { body: { channel: "push", campaign_id: 4 } })
        const registered = { ...reported, channel: "push", campaign_id: 4, updated_at: registeredAt }
        assert.deepStrictEqual(answer.json, registered)
        const { campaign_id: _, ...again } = registered
        const body = { channel: "email", recipient: "ada@example.com", trigger_event_id: "01H" }
        assert.deepStrictEqual((yield* call("PUT", `${path}/d`, { body })).json, { ...again, ...body })
      }),
  )

  it.effect(
    "the management API shows the person who received a delivery, also after a merge, and null after that person is deleted",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const params = { w: workspace.id, delivery_id: "d" }
        const [ada] = yield* apply(
          identify(byId("ada"), [], { in: workspace }),
          identify(byId("lovelace"), [], { in: workspace }),
        )
        const payload = { channel: "sms", person: { id: "lovelace" }, recipient: "+1", subject: "s" } as const
        yield* api.deliveries.register({ params, payload })
        yield* apply(merge(byId("ada"), byId("lovelace"), { in: workspace }))
        assert.strictEqual((yield* api.deliveries.get({ params })).svc_id, svcIdOf(ada))
        yield* apply(remove(byId("ada"), { in: workspace }))
        const { recipient, subject, svc_id } = yield* api.deliveries.get({ params })
        assert.deepStrictEqual([svc_id, recipient, subject], [null, null, null])
      }),
  )

  it.effect("the management API rejects a delivery to a person who does not exist", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const params = { w: workspace.id, delivery_id: "d" }
      for (const person of [
        { id: "nobody" },
        { email: "a@b.c" },
        { svc_id: "p11000000999" },
        { svc_id: "x" },
      ]) {
        const refused = yield* api.deliveries
          .register({ params, payload: { channel: "email", person } })
          .pipe(Effect.flip)
        assert.strictEqual(refused._tag, "Unprocessable")
      }
      assert.deepStrictEqual((yield* api.deliveries.list({ params, query: {} })).items, [])
      const { items } = yield* api.people.list({ params, query: {} })
      assert.deepStrictEqual(items, [])
    }),
  )

  it.effect("the management API accepts any percent-encoded delivery id of up to 1000 bytes", () =>
    Effect.gen(function* () {
      const { id: w } = yield* newWorkspace
      const api = yield* client
      const ids = [
        "RPILAgUBcRhIBqSp7kiPekGBIeVh==",
        "a/b+c",
        "100%25",
        "%2F",
        "é;?#&",
        ".",
        "..",
        "~.",
        "%2E%2E",
        "x".repeat(1000),
      ]
      for (const id of ids) {
        const path = `/workspaces/${w}/deliveries/${encodeURIComponent(segmentOfId(id))}`
        const answer = yield* call("PUT", path, { body: { channel: "email" } })
        assert.propertyVal(answer.json, "delivery_id", id)
        assert.strictEqual((yield* api.deliveries.get({ params: { w, delivery_id: id } })).delivery_id, id)
      }
      const tooLong = `/workspaces/${w}/deliveries/${encodeURIComponent("é".repeat(501))}`
      assertProblem(
        yield* call("PUT", tooLong, { body: { channel: "email" } }),
        400,
        "Bad Request",
        "delivery_id cannot be longer than 1000 bytes",
      )
      assertProblem(yield* call("GET", tooLong), 404, "Not Found", /delivery not found/)
    }),
  )

  it.effect("the management API pages through deliveries in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const ids = ["d1", "d2", "d3", "d4", "d5"]
      yield* apply(...ids.map((id) => report(id, "delivered", { in: workspace })))
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(
          `/workspaces/${workspace.id}/deliveries`,
          `order=${order}`,
          "delivery_id",
        )
        assert.deepStrictEqual(seen, order === "asc" ? ids : ids.toReversed())
      }
    }),
  )

  it.effect("an error of the management API names the invalid field of a registration", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const channel = "email"
      const one = /^person: Expected exactly one of id, email and svc_id/
      for (const [body, detail] of [
        [{}, /^channel: required/],
        [{ channel: "fax" }, /^channel: /],
        [{ channel, person: {} }, one],
        [{ channel, person: { id: "a", email: "b" } }, one],
        [{ channel, person: { id: "" } }, /^person\.id: /],
        [{ channel, person: { anonymous_id: "v" } }, /^person\.anonymous_id: unknown field/],
        [{ channel, recipient: 7 }, /^recipient/],
        [{ channel, subject: "s".repeat(1001) }, /^subject/],
        [{ channel, campaign_id: "4" }, /^campaign_id: /],
        [{ channel, campaign_id: 1.5 }, /^campaign_id: /],
        [{ channel, trigger_event_id: 4 }, /^trigger_event_id: /],
        [{ channel, conversion_name: "sale" }, /^conversion_name: unknown field/],
        [{ channel, metrics: {} }, /^metrics: unknown field/],
      ] as const) {
        const answer = yield* call("PUT", `/workspaces/${id}/deliveries/d`, { body })
        assertProblem(answer, 400, "Bad Request", detail)
      }
      assertProblem(
        yield* call("GET", `/workspaces/${id}/deliveries/d`),
        404,
        "Not Found",
        "delivery not found in this workspace",
      )
    }),
  )
})
