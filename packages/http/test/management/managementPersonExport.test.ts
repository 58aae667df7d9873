import { assert, layer } from "@effect/vitest"
import { ExportEnd } from "@inlethq/contract/transfer/Exports"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { PersonExportLine } from "@inlethq/contract/transfer/PersonExport"
import {
  addDevice,
  byAnonymousId,
  byId,
  event,
  identify,
  merge,
  objectOf,
  register,
  report,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import {
  apply,
  assertProblem,
  call,
  memory,
  newWorkspace,
  serverWith,
  svcIdOf,
  token,
} from "./managementServer.ts"

const decodeLine = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Union([PersonExportLine, ExportEnd])),
)

/** Returns the lines of an export of a person, which every line of the response must be, and its end. */
const exported = Effect.fnUntraced(function* (path: string) {
  const request = HttpClientRequest.get(`${managementPath}${path}`).pipe(HttpClientRequest.bearerToken(token))
  const response = yield* HttpClient.execute(request)
  assert.strictEqual(response.status, 200)
  const texts = (yield* response.text).trimEnd().split("\n")
  const lines = yield* Effect.forEach(texts, (text) => decodeLine(text))
  const end = lines.at(-1)
  const found = lines.flatMap((line) => ("section" in line ? [line] : []))
  assert.deepStrictEqual(end, { end: true, count: found.length })
  return found
})

const of = <Section extends PersonExportLine["section"]>(
  lines: ReadonlyArray<PersonExportLine>,
  section: Section,
) =>
  lines.filter(
    (line): line is Extract<PersonExportLine, { readonly section: Section }> => line.section === section,
  )

layer(serverWith(memory))("the export of one person", (it) => {
  it.effect(
    "contract §16 export of a person: has everything that is stored about a person, and nothing of others",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const within = { in: workspace }
        const entries = yield* apply(
          createSegment("testers", within),
          event(byAnonymousId("visitor"), "seen", { ...within, kind: "anonymous_event" }),
          identify(
            byId("ada"),
            [
              ["plan", "free"],
              ["unsubscribed", true],
            ],
            {
              ...within,
              email: "ada@example.com",
              anonymousId: "visitor",
              relatedTo: [[objectOf("1", "acme"), [["role", "boss"]]]],
            },
          ),
          identify(byId("bob"), [["city", "Paris"]], within),
          identify(byId("eve"), [["secret", "of eve"]], within),
          addDevice(byId("ada"), "phone", [], within),
          joinSegment(1, [byId("ada"), byId("eve")], within),
          register("to ada", byId("ada"), { ...within, recipient: "ada@example.com" }),
          register("to bob", byId("bob"), { ...within, recipient: "bob@example.com" }),
          register("to eve", byId("eve"), { ...within, recipient: "eve@example.com" }),
          report("to ada", "opened", within),
          identify(byId("ada"), [["plan", "pro"]], within),
          merge(byId("ada"), byId("bob"), within),
        )
        const [, , ada = "", bob = ""] = entries.map((entry) => svcIdOf(entry) ?? "")
        const path = `/workspaces/${workspace.id}/people/${ada}/export`
        const lines = yield* exported(path)
        const [profile] = of(lines, "profile")
        assert.deepStrictEqual(
          [profile?.person.id, profile?.person.attributes, profile?.person.relationships.length],
          ["ada", { plan: "pro", city: "Paris" }, 1],
        )
        const identities = of(lines, "identity").map(({ kind, merge: made, svc_id }) => [
          kind,
          kind === "merged" ? svc_id === bob : true,
          made?.secondary.id,
        ])
        assert.deepStrictEqual(identities, [
          ["visitor", true, undefined],
          ["merged", true, "bob"],
        ])
        assert.deepStrictEqual(
          of(lines, "delivery").map(({ delivery }) => delivery.delivery_id),
          ["to ada", "to bob"],
        )
        assert.deepStrictEqual(
          of(lines, "segment").map(({ name }) => name),
          ["testers"],
        )
        assert.deepStrictEqual(
          of(lines, "suppression").map(({ kind, suppressed }) => [kind, suppressed]),
          [
            ["id", false],
            ["email", false],
          ],
        )
        const activity = of(lines, "activity").map(({ entry }) => entry.kind)
        assert.deepStrictEqual(activity.slice(0, 2), ["merge", "identify"])
        assert.include(activity, "anonymous_event")
        const values = new Map(of(lines, "value").map((line) => [line.path, line]))
        assert.deepStrictEqual([...values.keys()].toSorted(), [
          "anonymous_ids",
          "attributes.city",
          "attributes.plan",
          "devices.phone",
          "email",
          "id",
          "unsubscribed",
        ])
        const merged = of(lines, "activity").find(({ entry }) => entry.kind === "merge")?.entry.operation_id
        assert.strictEqual(values.get("attributes.city")?.set_by?.operation_id, merged)
        assert.strictEqual(values.get("unsubscribed")?.value, true)
        assert.isNotNull(values.get("attributes.plan")?.set_at)
        assert.notInclude(JSON.stringify(lines), "of eve")
        assert.notInclude(JSON.stringify(lines), "eve@example.com")
        const other = `/workspaces/${workspace.id}/people/${bob}/export`
        assertProblem(yield* call("GET", other), 404, "Not Found", /person not found/)
      }),
  )
})
