import { DatabaseSync } from "node:sqlite"
import type { StoreServices } from "@inlethq/storage/storeServices"
import type { Law } from "@inlethq/store-conformance/script/Law"
import { auditLaws } from "@inlethq/store-conformance/tables/auditLaws"
import { cursorLaws } from "@inlethq/store-conformance/tables/cursorLaws"
import { ledgerLaws } from "@inlethq/store-conformance/erasing/ledgerLaws"
import { registryLaws } from "@inlethq/store-conformance/tables/registryLaws"
import { senderLaws } from "@inlethq/store-conformance/log/senderLaws"
import { sessionLaws } from "@inlethq/store-conformance/tables/sessionLaws"
import { tokenLaws } from "@inlethq/store-conformance/tables/tokenLaws"
import { uploadLaws } from "@inlethq/store-conformance/tables/uploadLaws"
import { webhookLaws } from "@inlethq/store-conformance/tables/webhookLaws"
import { countLaws } from "@inlethq/store-conformance/log/countLaws"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { openDatabase } from "../src/openDatabase.ts"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { temporaryDirectory, temporaryStore } from "./temporary.ts"

/** These laws use every statement that is prepared only when it is first used. */
const lawsOfTables: ReadonlyArray<Law<StoreServices>> = [
  ...registryLaws,
  ...senderLaws,
  ...ledgerLaws,
  ...tokenLaws,
  ...auditLaws,
  ...countLaws,
  ...cursorLaws,
  ...sessionLaws,
  ...uploadLaws,
  ...webhookLaws,
]

/** The SQL of every statement that the store prepares when it opens, or for its small tables. */
const allStatements = Effect.gen(function* () {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare")
  const database = yield* openDatabase(yield* temporaryDirectory)
  yield* SqliteStore.services(database).pipe(Effect.provide(plainDigest))
  for (const { check } of lawsOfTables) yield* Effect.provide(check, temporaryStore, { local: true })
  const statements = new Set(prepare.mock.calls.map(([sql]) => sql))
  prepare.mockRestore()
  return { database, statements: [...statements] }
})

describe("every statement", () => {
  it.effect("no read binds the state of subjects, which is in the conditions of partial indexes", () =>
    Effect.gen(function* () {
      // SQLite prepares such a statement again on each run.
      const { statements } = yield* allStatements
      const binding = statements.filter(
        (sql) => /^\s*SELECT\b/.test(sql) && / subjects\b/.test(sql) && /\bstate = \?/.test(sql),
      )
      assert.deepStrictEqual(binding, [])
    }),
  )

  it.effect("every statement finds its rows by a key or an index", () =>
    Effect.gen(function* () {
      const { database, statements } = yield* allStatements
      const walks = statements
        .filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)\b/.test(sql))
        .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
        .map((step) => String(step["detail"]))
        // Ignore scans of query parameters (a virtual table), of a partial index that contains only the wanted rows, of a
        // subquery, and of the single row of a SELECT without a table.
        .filter(
          (step) =>
            step.startsWith("SCAN") && !/ VIRTUAL TABLE | USING INDEX |\(subquery|CONSTANT ROW/.test(step),
        )
      assert.deepStrictEqual([...new Set(walks)].toSorted(), [
        "SCAN keys",
        "SCAN management_tokens",
        // A page of the receipts that are not sealed.
        "SCAN receipt",
        // Counts the used sign-ins, of which there are at most a thousand.
        "SCAN spent_sign_ins USING COVERING INDEX spent_sign_ins_expires",
        "SCAN sqlite_schema",
        // This index contains only the rules that are being built.
        "SCAN subjects USING COVERING INDEX rule_builds",
        "SCAN webhooks",
        "SCAN workspaces",
      ])
    }),
  )
})
