import { assert, layer } from "@effect/vitest"
import { byId, identify, suppress } from "@inlethq/store-conformance/script/commands"
import { Effect, Stream } from "effect"
import { apply, assertProblem, call, newWorkspace, server } from "./managementServer.ts"
import { counts, entries, personById, upload } from "./managementUploads.ts"

layer(server)("imports in the management API", (it) => {
  it.effect(
    "contract §13: the management API imports the valid rows of a file of people and lists the errors of all other rows",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = 'id,email,plan\nada,ada@example.com,pro\n,,x\nbob,,free\n5" pipe,,\ncid\n'
        assert.deepStrictEqual(yield* upload(workspace, "people", file), {
          ...counts(5, 2, 0, 3),
          errors: [
            { line: 3, message: "the row has no identifier: expected an id, email or svc_id" },
            { line: 5, message: "unexpected quote in an unquoted field" },
            { line: 6, message: "expected 3 cells, got 1" },
          ],
        })
        const ada = yield* personById(workspace, "ada")
        assert.strictEqual(ada?.email, "ada@example.com")
        assert.strictEqual(ada?.attributes.get("plan")?.value, "pro")
        assert.isDefined(yield* personById(workspace, "bob"))
        const log = yield* entries(workspace)
        assert.deepStrictEqual(
          log.map(({ kind, outcome, source }) => [source, kind, outcome]),
          [
            ["csv", "identify", "created"],
            ["csv", "identify", "created"],
          ],
        )
      }),
  )

  it.effect(
    "the summary of an import lists as many errors as the request asks for, and 100 if the request names no number",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = `id,email,plan\n${",,pro\n".repeat(300)}`
        const listed = (errors?: number) =>
          Effect.map(upload(workspace, "people", file, errors === undefined ? {} : { errors }), (summary) => [
            summary.failed,
            summary.errors.length,
            summary.errors.at(-1)?.line,
          ])
        assert.deepStrictEqual(yield* listed(), [300, 100, 101])
        assert.deepStrictEqual(yield* listed(250), [300, 250, 251])
        const refused = yield* call("POST", `/workspaces/${workspace.id}/imports/people?errors=10001`, {
          body: "id\nada\n",
          headers: { "content-type": "text/csv" },
        })
        assertProblem(refused, 400, "Bad Request", /errors/)
      }),
  )

  it.effect(
    "track-api §6 rule 2: the management API imports events of existing people only, with columns of either prefix (svc or cio)",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(identify(byId("ada"), [], { in: workspace }))
        const file =
          "_cio_name,_cio_customer_id,_cio_timestamp,a.b\nbought,ada,0,1\nbought,bob,,2\nleft,ada,soon,3\n"
        assert.deepStrictEqual(yield* upload(workspace, "events", file), {
          ...counts(3, 2, 0, 1),
          errors: [
            { line: 3, message: "person not found" },
            {
              line: 4,
              message:
                "imported in part: _svc_timestamp: _svc_timestamp must be Unix seconds or an ISO 8601 date-time",
            },
          ],
        })
        assert.isUndefined(yield* personById(workspace, "bob"))
        const [, bought, left, ...others] = yield* entries(workspace)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(left, { name: "left", outcome: "partial" })
        assert.strictEqual(left?.at, left?.receivedAt)
        assert.deepInclude(bought, {
          source: "csv",
          kind: "event",
          name: "bought",
          outcome: "applied",
          at: 0,
          data: { "a.b": "1" },
        })
      }),
  )

  it.effect("an import skips a row for a suppressed person", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* apply(suppress(byId("ada"), { in: workspace }))
      const summary = yield* upload(workspace, "people", "id\nada\nbob\n")
      assert.deepStrictEqual(summary, { ...counts(2, 1, 1, 0), errors: [] })
    }),
  )

  it.effect("the management API counts a row that is imported in part as imported and lists its error", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const summary = yield* upload(workspace, "people", "id,created_at\nada,soon\n")
      assert.deepStrictEqual(summary, {
        ...counts(1, 1, 0, 0),
        errors: [
          {
            line: 2,
            message: "imported in part: created_at: created_at must be Unix seconds or an ISO 8601 date-time",
          },
        ],
      })
    }),
  )

  it.effect("contract §13: the summary of an import counts all errors and lists the first 100", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const summary = yield* upload(workspace, "people", `id,a\n${"ada\n".repeat(150)}bob,1\n`)
      assert.include(summary, counts(151, 1, 0, 150))
      assert.deepStrictEqual(
        summary.errors.map(({ line }) => line),
        Array.from({ length: 100 }, (_, i) => i + 2),
      )
    }),
  )

  it.effect("the management API reads a file with an invalid header to its end and imports nothing", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const rows = new TextEncoder().encode("ada,pro\n".repeat(100_000))
      const file = Stream.make(new TextEncoder().encode("name,plan\n"), rows)
      assert.deepStrictEqual(yield* upload(workspace, "people", file), {
        ...counts(0, 0, 0, 0),
        errors: [{ line: 1, message: "missing column: id or email; the first line has `name`, `plan`" }],
      })
      assert.deepStrictEqual(yield* entries(workspace), [])
    }),
  )

  it.effect(
    "the management API rejects uploads with another media type, compression, too long a key, a wrong token or an unknown workspace",
    () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkspace
        const path = `/workspaces/${id}/imports/people`
        assertProblem(
          yield* call("POST", path, { body: {} }),
          415,
          "Unsupported Media Type",
          "send the body with `Content-Type: text/csv`",
        )
        const csv = { "content-type": "text/csv" }
        for (const kind of ["people", "events"]) {
          assertProblem(
            yield* call("POST", `/workspaces/${id}/imports/${kind}`, {
              text: "id\n",
              headers: { ...csv, "content-encoding": "gzip" },
            }),
            415,
            "Unsupported Media Type",
            "the management API does not accept compressed bodies",
          )
        }
        const long = { ...csv, "idempotency-key": "k".repeat(256) }
        assertProblem(
          yield* call("POST", path, { text: "id\n", headers: long }),
          400,
          "Bad Request",
          /^idempotency-key: /,
        )
        const stranger = { ...csv, authorization: "Bearer wrong" }
        assert.strictEqual((yield* call("POST", path, { text: "id\n", headers: stranger })).status, 401)
        const nowhere = yield* call("POST", "/workspaces/999999/imports/events", {
          text: "id\n",
          headers: csv,
        })
        assertProblem(nowhere, 404, "Not Found", "workspace 999999 not found")
        const wrong = yield* call("POST", `${path}?x=1`, { text: "id\n", headers: csv })
        assert.strictEqual(wrong.status, 400)
      }),
  )
})
