import { assert, layer } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { apply, assertProblem, newWorkspace, server } from "./managementServer.ts"
import {
  counts,
  entries,
  withIdempotencyKey,
  peopleRows,
  personById,
  upload,
  uploadRequest,
} from "./managementUploads.ts"

layer(server)("imports of the same file or the same Idempotency-Key", (it) => {
  it.effect(
    "contract §13: importing the same file again adds only rows that failed before and are valid now",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const persons = "id,plan\nada,pro\nbob,free\n"
        assert.deepStrictEqual(yield* upload(workspace, "people", persons), {
          ...counts(2, 2, 0, 0),
          errors: [],
        })
        const events = "_svc_name,_svc_customer_id\na,ada\na,cid\na,bob\n"
        const missing = [{ line: 3, message: "person not found" }]
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
    "importing the same events again adds no data, even if the imported rows follow many failed rows",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* upload(workspace, "people", `id,email,n\n${peopleRows(1, 100)}`)
        const strangers = Array.from({ length: 500 }, (_, i) => `a,s${i}\n`).join("")
        const known = Array.from({ length: 100 }, (_, i) => `a,p${i + 1}\n`).join("")
        const events = `_svc_name,_svc_customer_id\n${strangers}${"short\n".repeat(500)}${known}`
        assert.include(yield* upload(workspace, "events", events), counts(1100, 100, 0, 1000))
        const before = yield* entries(workspace)
        for (const _ of [2, 3]) {
          assert.include(yield* upload(workspace, "events", events), counts(1100, 0, 100, 1000))
          assert.deepStrictEqual(yield* entries(workspace), before)
        }
        // Two people that were unknown in the earlier imports are created. The next import of the same file imports
        // their two events. The events of known people, at the end of the file, are still skipped as duplicates.
        yield* apply(identify(byId("s1"), [], { in: workspace }), identify(byId("s2"), [], { in: workspace }))
        assert.include(yield* upload(workspace, "events", events), counts(1100, 2, 100, 998))
        assert.strictEqual((yield* entries(workspace)).length, before.length + 4)
      }),
  )

  it.effect(
    "importing the same people again adds no data, even if the imported rows follow many invalid rows",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = `id,email,n\n${"short\n".repeat(500)}${peopleRows(1, 10)}`
        assert.include(yield* upload(workspace, "people", file), counts(510, 10, 0, 500))
        assert.include(yield* upload(workspace, "people", file), counts(510, 0, 10, 500))
        assert.strictEqual((yield* entries(workspace)).length, 10)
      }),
  )

  it.effect(
    "contract §13: the management API imports all rows of a new file, even if the file begins with the content of an earlier file",
    () =>
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

  it.effect(
    "contract §13: an Idempotency-Key identifies an upload, and people and events can use the same key",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        assert.include(
          yield* upload(workspace, "people", "id,a\nada,1\n", withIdempotencyKey("one")),
          counts(1, 1, 0, 0),
        )
        assert.include(
          yield* upload(workspace, "people", "id,a\nada,1\n", withIdempotencyKey("one")),
          counts(1, 0, 1, 0),
        )
        assert.include(
          yield* upload(workspace, "people", "id,a\nada,1\n", withIdempotencyKey("two")),
          counts(1, 1, 0, 0),
        )
        const file = "_svc_name,_svc_customer_id\nlogin,ada\n"
        assert.include(
          yield* upload(workspace, "events", file, withIdempotencyKey("one")),
          counts(1, 1, 0, 0),
        )
        const other = yield* newWorkspace
        assert.include(
          yield* upload(other, "people", "id,a\nada,1\n", withIdempotencyKey("one")),
          counts(1, 1, 0, 0),
        )
      }),
  )

  it.effect(
    "contract §13 reused Idempotency-Key: the management API answers 409 to a different file with the same Idempotency-Key and imports no row of this file",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = "id,a\nada,1\n"
        assert.include(
          yield* upload(workspace, "people", file, withIdempotencyKey("one")),
          counts(1, 1, 0, 0),
        )
        for (const other of ["id,a\nada,2\n", `${file}bob,2\n`, "id,a\n", ""]) {
          const answer = yield* HttpClient.execute(
            HttpClientRequest.bodyText(
              uploadRequest(workspace, "people", withIdempotencyKey("one")),
              other,
              "text/csv",
            ),
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
        assert.include(
          yield* upload(workspace, "people", file, withIdempotencyKey("one")),
          counts(1, 0, 1, 0),
        )
      }),
  )

  it.effect(
    "a reused Idempotency-Key makes all rows fail from the first block that differs from the earlier file",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const header = "id,email,n\n"
        assert.include(
          yield* upload(workspace, "people", `${header}${peopleRows(1, 15_000)}`, withIdempotencyKey("one")),
          counts(15_000, 15_000, 0, 0),
        )
        const before = (yield* entries(workspace)).length
        const longer = `${header}${peopleRows(1, 30_000)}`
        const summary = yield* upload(workspace, "people", longer, withIdempotencyKey("one"))
        assert.strictEqual(summary.imported, 0)
        assert.isAbove(summary.skipped, 0)
        assert.strictEqual(summary.failed, 30_000 - summary.skipped)
        assert.match(summary.errors[0]?.message ?? "", /another file/)
        assert.strictEqual((yield* entries(workspace)).length, before)
        assert.isUndefined(yield* personById(workspace, "p30000"))
      }),
  )

  it.effect(
    "contract §13: the management API recognises a file that was imported before, even if it arrives in chunks of other sizes",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const file = `id,email,n\n${peopleRows(1, 25_000)}`
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

  it.effect("sending the file again after an interrupted upload resumes and imports every row once", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const bytes = new TextEncoder().encode(`id,email,n\n${peopleRows(1, 15_000)}`)
      const catalog = yield* Catalog
      const firstImported = Effect.repeat(Effect.andThen(Effect.yieldNow, entries(workspace)), {
        until: ({ length }) => length > 0,
      }).pipe(Effect.provideService(Catalog, catalog))
      const part = Stream.concat(
        Stream.succeed(bytes.subarray(0, 300_001)),
        Stream.fromEffectDrain(Effect.andThen(firstImported, Effect.fail("the line broke"))),
      )
      const broken = yield* Effect.exit(upload(workspace, "people", Stream.orDie(part)))
      assert.strictEqual(broken._tag, "Failure")
      const summary = yield* upload(workspace, "people", Stream.succeed(bytes))
      assert.strictEqual(summary.imported + summary.skipped, 15_000)
      assert.isAbove(summary.skipped, 0)
      assert.strictEqual(summary.failed, 0)
      const all = yield* Effect.forEach([1, 7000, 15_000], (i) => personById(workspace, `p${i}`))
      for (const found of all) assert.isDefined(found)
      // The upload was cut off inside a line. No person was created from that line.
      const page = yield* catalog.people(workspace.id, null, { limit: 1000, after: null, order: "desc" })
      for (const { person } of page.items) assert.match(person.email ?? "", new RegExp(`^${person.id}@`))
    }),
  )
})
