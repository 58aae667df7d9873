import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlet/api/management/ManagementApi"
import { ImportProgress, ImportSummary } from "@inlet/api/management/Imports"
import { Catalog, noFilter } from "@inlet/core/catalog/Catalog"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { byId, identify, suppress } from "@inlet/store-conformance/commands"
import { Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { apply, assertProblem, call, newWorkspace, server, token } from "./managementServer.ts"

interface UploadOptions {
  readonly headers?: Record<string, string>
}

const request = (workspace: Workspace, kind: "people" | "events", { headers = {} }: UploadOptions = {}) =>
  HttpClientRequest.post(`${managementPath}/workspaces/${workspace.id}/imports/${kind}`).pipe(
    HttpClientRequest.bearerToken(token),
    HttpClientRequest.setHeaders(headers),
  )

const decodeProgress = Schema.decodeUnknownEffect(Schema.fromJsonString(ImportProgress), {
  onExcessProperty: "error",
})
const decodeSummary = Schema.decodeUnknownEffect(Schema.fromJsonString(ImportSummary), {
  onExcessProperty: "error",
})

/** Sends a file, checks the progress lines of the answer, and returns its summary. */
const upload = Effect.fnUntraced(function* (
  workspace: Workspace,
  kind: "people" | "events",
  file: string | Stream.Stream<Uint8Array>,
  options?: UploadOptions,
) {
  const to = request(workspace, kind, options)
  const response = yield* HttpClient.execute(
    typeof file === "string"
      ? HttpClientRequest.bodyText(to, file, "text/csv")
      : HttpClientRequest.bodyStream(to, file, { contentType: "text/csv; charset=utf-8" }),
  )
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers["content-type"], "application/x-ndjson")
  const lines = (yield* response.text).trimEnd().split("\n")
  const progress = yield* Effect.forEach(lines.slice(0, -1), (line) => decodeProgress(line))
  assert.isAbove(progress.length, 0)
  for (const [i, { bytes, rows }] of progress.entries()) {
    assert.isAtLeast(rows, progress[i - 1]?.rows ?? 0)
    assert.isAtLeast(bytes, progress[i - 1]?.bytes ?? 0)
  }
  return yield* decodeSummary(lines.at(-1))
})

const counts = (rows: number, imported: number, skipped: number, failed: number) => ({
  rows,
  imported,
  skipped,
  failed,
})

/** Returns the activity entries of a workspace. */
const entries = Effect.fnUntraced(function* (workspace: Workspace) {
  const directory = yield* Catalog
  const page = yield* directory.activity(workspace.id, noFilter, { limit: 1000, after: null, order: "asc" })
  return page.items.map(({ entry }) => entry)
})

const person = Effect.fnUntraced(function* (workspace: Workspace, id: string) {
  const directory = yield* Catalog
  const found = yield* directory.personByIdentifier(workspace.id, { kind: "id", value: id })
  return found._tag === "Some" ? found.value.person : undefined
})

/** Returns upload options with an `Idempotency-Key`. */
const named = (key: string) => ({ headers: { "idempotency-key": key } })

/** Returns CSV rows for people with consecutive numbers, without a header. */
const people = (from: number, to: number) => {
  let rows = ""
  for (let i = from; i <= to; i++) rows += `p${i},p${i}@example.com,${i}\n`
  return rows
}

layer(server)("imports", (it) => {
  it.effect("contract §13: imports the valid rows of people and lists the errors of the others", () =>
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
      const ada = yield* person(workspace, "ada")
      assert.strictEqual(ada?.email, "ada@example.com")
      assert.strictEqual(ada?.attributes.get("plan")?.value, "pro")
      assert.isDefined(yield* person(workspace, "bob"))
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
    "track-api §6 rule 2: imports events of existing people only, with columns of either prefix (svc or cio)",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(identify(byId("ada"), [], { in: workspace }))
        const file =
          "_cio_name,_cio_customer_id,_cio_timestamp,a.b\nbought,ada,1700000000,1\nbought,bob,,2\nleft,ada,soon,3\n"
        assert.deepStrictEqual(yield* upload(workspace, "events", file), {
          ...counts(3, 1, 0, 2),
          errors: [
            { line: 3, message: "there is no such person" },
            {
              line: 4,
              message: "_svc_timestamp: _svc_timestamp must be Unix seconds or an ISO 8601 date-time",
            },
          ],
        })
        assert.isUndefined(yield* person(workspace, "bob"))
        const [, bought, ...others] = yield* entries(workspace)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(bought, {
          source: "csv",
          kind: "event",
          name: "bought",
          outcome: "applied",
          at: 1_700_000_000_000,
          data: { "a.b": "1" },
        })
      }),
  )

  it.effect(
    "contract §13: importing the same file again adds nothing, except rows that failed before and are now valid",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const persons = "id,plan\nada,pro\nbob,free\n"
        assert.deepStrictEqual(yield* upload(workspace, "people", persons), {
          ...counts(2, 2, 0, 0),
          errors: [],
        })
        const events = "_svc_name,_svc_customer_id\na,ada\na,cid\na,bob\n"
        const missing = [{ line: 3, message: "there is no such person" }]
        assert.deepStrictEqual(yield* upload(workspace, "events", events), {
          ...counts(3, 2, 0, 1),
          errors: missing,
        })
        const before = yield* entries(workspace)
        assert.deepStrictEqual(yield* upload(workspace, "people", persons), {
          ...counts(2, 0, 2, 0),
          errors: [],
        })
        assert.deepStrictEqual(yield* upload(workspace, "events", events), {
          ...counts(3, 0, 2, 1),
          errors: missing,
        })
        assert.deepStrictEqual(yield* entries(workspace), before)
        yield* apply(identify(byId("cid"), [], { in: workspace }))
        assert.deepStrictEqual(yield* upload(workspace, "events", events), {
          ...counts(3, 1, 2, 0),
          errors: [],
        })
      }),
  )

  it.effect(
    "importing the same events again adds nothing, even if the imported rows follow many failed ones",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* upload(workspace, "people", `id,email,n\n${people(1, 100)}`)
        const strangers = Array.from({ length: 500 }, (_, i) => `a,s${i}\n`).join("")
        const known = Array.from({ length: 100 }, (_, i) => `a,p${i + 1}\n`).join("")
        const events = `_svc_name,_svc_customer_id\n${strangers}${"short\n".repeat(500)}${known}`
        assert.include(yield* upload(workspace, "events", events), counts(1100, 100, 0, 1000))
        const before = yield* entries(workspace)
        for (const _ of [2, 3]) {
          assert.include(yield* upload(workspace, "events", events), counts(1100, 0, 100, 1000))
          assert.deepStrictEqual(yield* entries(workspace), before)
        }
        // Two of the unknown people exist now. Their events are imported, and the rows after them are still duplicates.
        yield* apply(identify(byId("s1"), [], { in: workspace }), identify(byId("s2"), [], { in: workspace }))
        assert.include(yield* upload(workspace, "events", events), counts(1100, 2, 100, 998))
        assert.strictEqual((yield* entries(workspace)).length, before.length + 4)
      }),
  )

  it.effect(
    "importing the same people again adds nothing, even if the imported rows follow many invalid ones",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = `id,email,n\n${"short\n".repeat(500)}${people(1, 10)}`
        assert.include(yield* upload(workspace, "people", file), counts(510, 10, 0, 500))
        assert.include(yield* upload(workspace, "people", file), counts(510, 0, 10, 500))
        assert.strictEqual((yield* entries(workspace)).length, 10)
      }),
  )

  it.effect("contract §13: a file that begins with the content of an earlier one adds all of its rows", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* upload(workspace, "people", "id\nada\n")
      const file = "_svc_name,_svc_customer_id\nlogin,ada\n"
      assert.include(yield* upload(workspace, "events", file), counts(1, 1, 0, 0))
      assert.include(yield* upload(workspace, "events", `${file}login,ada\n`), counts(2, 2, 0, 0))
      const events = (yield* entries(workspace)).filter(({ kind }) => kind === "event")
      assert.strictEqual(events.length, 3)
    }),
  )

  it.effect("contract §13: an Idempotency-Key identifies an upload, separately for people and events", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      assert.include(yield* upload(workspace, "people", "id,a\nada,1\n", named("one")), counts(1, 1, 0, 0))
      assert.include(yield* upload(workspace, "people", "id,a\nada,1\n", named("one")), counts(1, 0, 1, 0))
      assert.include(yield* upload(workspace, "people", "id,a\nada,1\n", named("two")), counts(1, 1, 0, 0))
      const file = "_svc_name,_svc_customer_id\nlogin,ada\n"
      assert.include(yield* upload(workspace, "events", file, named("one")), counts(1, 1, 0, 0))
      const other = yield* newWorkspace
      assert.include(yield* upload(other, "people", "id,a\nada,1\n", named("one")), counts(1, 1, 0, 0))
    }),
  )

  it.effect(
    "contract §16 reused Idempotency-Key: answers 409 to a different file and imports nothing of it",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = "id,a\nada,1\n"
        assert.include(yield* upload(workspace, "people", file, named("one")), counts(1, 1, 0, 0))
        for (const other of ["id,a\nada,2\n", `${file}bob,2\n`, "id,a\n", ""]) {
          const answer = yield* HttpClient.execute(
            HttpClientRequest.bodyText(request(workspace, "people", named("one")), other, "text/csv"),
          )
          const { headers, status } = answer
          assertProblem(
            { headers, status, json: yield* answer.json },
            409,
            "Conflict",
            /Idempotency-Key was used with another file/,
          )
        }
        assert.strictEqual((yield* entries(workspace)).length, 1)
        assert.include(yield* upload(workspace, "people", file, named("one")), counts(1, 0, 1, 0))
      }),
  )

  it.effect(
    "a reused Idempotency-Key fails all rows from the first block that differs from the earlier file",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const header = "id,email,n\n"
        assert.include(
          yield* upload(workspace, "people", `${header}${people(1, 15_000)}`, named("one")),
          counts(15_000, 15_000, 0, 0),
        )
        const before = (yield* entries(workspace)).length
        const longer = `${header}${people(1, 30_000)}`
        const summary = yield* upload(workspace, "people", longer, named("one"))
        assert.strictEqual(summary.imported, 0)
        assert.isAbove(summary.skipped, 0)
        assert.strictEqual(summary.failed, 30_000 - summary.skipped)
        assert.match(summary.errors[0]?.message ?? "", /another file/)
        assert.strictEqual((yield* entries(workspace)).length, before)
        assert.isUndefined(yield* person(workspace, "p30000"))
      }),
  )

  it.effect(
    "contract §13: a file of several blocks is recognised even if it arrives in chunks of other sizes",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = `id,email,n\n${people(1, 25_000)}`
        const bytes = new TextEncoder().encode(file)
        assert.isAbove(bytes.length, 2 * 256 * 1024)
        const pieces = Stream.fromIterable(
          Array.from({ length: 7 }, (_, i) =>
            bytes.subarray(i * 100_000, i === 6 ? undefined : (i + 1) * 100_000),
          ),
        )
        assert.deepStrictEqual(yield* upload(workspace, "people", pieces), {
          ...counts(25_000, 25_000, 0, 0),
          errors: [],
        })
        assert.include(yield* upload(workspace, "people", file), counts(25_000, 0, 25_000, 0))
      }),
  )

  it.effect("sending the file of an interrupted upload again resumes it and imports every row once", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const bytes = new TextEncoder().encode(`id,email,n\n${people(1, 15_000)}`)
      const part = Stream.concat(Stream.succeed(bytes.subarray(0, 300_001)), Stream.fail("the line broke"))
      const broken = yield* Effect.exit(upload(workspace, "people", Stream.orDie(part)))
      assert.strictEqual(broken._tag, "Failure")
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, entries(workspace)), {
        until: ({ length }) => length > 0,
      })
      const summary = yield* upload(workspace, "people", Stream.succeed(bytes))
      assert.strictEqual(summary.imported + summary.skipped, 15_000)
      assert.isAbove(summary.skipped, 0)
      assert.strictEqual(summary.failed, 0)
      const directory = yield* Catalog
      const all = yield* Effect.forEach([1, 7000, 15_000], (i) => person(workspace, `p${i}`))
      for (const found of all) assert.isDefined(found)
      // The line at which the upload was cut was not imported in part.
      const page = yield* directory.people(workspace.id, null, { limit: 1000, after: null, order: "desc" })
      for (const { person } of page.items) assert.match(person.email ?? "", new RegExp(`^${person.id}@`))
    }),
  )

  it.effect("a row for a suppressed person is skipped", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* apply(suppress(byId("ada"), { in: workspace }))
      const summary = yield* upload(workspace, "people", "id\nada\nbob\n")
      assert.deepStrictEqual(summary, { ...counts(2, 1, 1, 0), errors: [] })
    }),
  )

  it.effect("a row that is imported in part is counted as imported and listed with its error", () =>
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

  it.effect("contract §13: the summary counts all errors and lists the first 100", () =>
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

  it.effect("a file with an invalid header is read to its end and nothing is imported", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const rows = new TextEncoder().encode("ada,pro\n".repeat(100_000))
      const file = Stream.make(new TextEncoder().encode("name,plan\n"), rows)
      assert.deepStrictEqual(yield* upload(workspace, "people", file), {
        ...counts(0, 0, 0, 0),
        errors: [{ line: 1, message: "missing column: id or email" }],
      })
      assert.deepStrictEqual(yield* entries(workspace), [])
    }),
  )

  it.effect(
    "rejects other media types, compressed files, long keys, wrong tokens and unknown workspaces",
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
        assertProblem(nowhere, 404, "Not Found", "there is no workspace 999999")
        const wrong = yield* call("POST", `${path}?x=1`, { text: "id\n", headers: csv })
        assert.strictEqual(wrong.status, 400)
      }),
  )
})
