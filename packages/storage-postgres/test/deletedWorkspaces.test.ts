import { assert, it } from "@effect/vitest"
import { erasureMsMin, Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { installationTables, unitedTables } from "@inlethq/storage/columns/transferTables"
import { byId, identify, noon } from "@inlethq/store-conformance/script/commands"
import { apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { deletePeople, wholeWorkspace } from "@inlethq/store-conformance/copies/wholeWorkspace"
import { Effect } from "effect"
import type { Session } from "../src/engine/Connection.ts"
import { describeServers, sessionTo } from "./server.ts"
import { emptyTables, nodeAt } from "./stores.ts"

const columnsSql = `
  SELECT table_name::text AS name, max(column_name) FILTER (WHERE column_name = 'workspace') AS workspace
  FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name ORDER BY table_name`

/** Returns the rows of a workspace, as text, in all tables that the catalogue of the database lists, by table. */
const rowsOf = Effect.fnUntraced(function* (session: Session, workspace: WorkspaceId) {
  const rows: Array<readonly [table: string, text: string]> = []
  for (const { name, workspace: column } of yield* session.query(columnsSql)) {
    // The rows of the installation have the workspace 0, the audit log says who deleted a workspace, and the erasure
    // ledger holds digests for the day on which a backup of it is restored.
    if (installationTables.some((table) => table.name === name) || unitedTables.has(String(name))) continue
    if (column === null && name !== "workspaces") continue
    const where = `${name === "workspaces" ? "id" : "workspace"} = ${workspace}`
    const [row] = yield* session.query(
      `SELECT coalesce(string_agg(found::text, ';' ORDER BY found::text), '') AS text FROM ${String(name)} AS found WHERE ${where}`,
    )
    rows.push([String(name), String(row?.["text"])])
  }
  return rows
})

const withRows = (rows: ReadonlyArray<readonly [table: string, text: string]>) =>
  rows.flatMap(([table, text]) => (text === "" ? [] : [table]))

/** Housekeeping and webhooks number their transactions in this table. */
const withoutWriters = (rows: ReadonlyArray<readonly [table: string, text: string]>) =>
  rows.filter(([table]) => table !== "writers")

const settings = defaultSettings("workspace", "us")

describeServers("a deleted workspace", (server) => {
  it.live("erasing a deleted workspace leaves no row of it, and no change in other workspaces", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      yield* Effect.gen(function* () {
        const registry = yield* Registry
        const others = [yield* wholeWorkspace(settings)]
        const deleted = yield* wholeWorkspace(settings)
        others.push(yield* wholeWorkspace(settings))
        yield* sweepAll(noon)
        yield* deletePeople(deleted)
        // The files of imports and exports are not in the memory store, whose workspaces the rows otherwise come from.
        for (const { id } of [deleted, ...others]) {
          for (const table of ["import_parts", "export_parts"]) {
            yield* session.execute(
              `INSERT INTO ${table} (part, workspace, job, bytes) VALUES (1, $1, 'job', 'bytes')`,
              [id],
            )
          }
        }
        const all = yield* rowsOf(session, deleted.id)
        assert.deepStrictEqual(
          withRows(all),
          all.map(([table]) => table),
        )
        const before = yield* Effect.forEach(others, ({ id }) => rowsOf(session, id))
        assert.isTrue(yield* registry.deleteWorkspace(deleted.id, noon))
        yield* sweepAll(noon)
        assert.deepStrictEqual(withRows(yield* rowsOf(session, deleted.id)), ["heads", "writers"])
        yield* sweepAll(noon + erasureMsMin)
        assert.deepStrictEqual(withRows(yield* rowsOf(session, deleted.id)), [])
        const after = yield* Effect.forEach(others, ({ id }) => rowsOf(session, id))
        assert.deepStrictEqual(after.map(withoutWriters), before.map(withoutWriters))
      }).pipe(Effect.provide(nodeAt(url)))
    }),
  )

  it.live("a step of erasing a workspace is bounded, and another node continues after it", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      const deleted = yield* Effect.gen(function* () {
        yield* wholeWorkspace(settings)
        const second = yield* wholeWorkspace(settings)
        yield* (yield* Registry).deleteWorkspace(second.id, noon)
        return second
      }).pipe(Effect.provide(nodeAt(url)))
      const count = Effect.map(
        session.query(`SELECT count(*)::integer AS rows FROM activity WHERE workspace = ${deleted.id}`),
        ([row]) => Number(row?.["rows"]),
      )
      let rows = yield* count
      while (rows > 0) {
        yield* session.execute("UPDATE leases SET until = '-infinity'")
        yield* Effect.flatMap(Store, (store) => store.sweep(noon)).pipe(
          Effect.provide(nodeAt(url, { sweepRowsMax: 1000 })),
        )
        const left = yield* count
        assert.isAtMost(rows - left, 1000)
        rows = left
      }
    }),
  )

  it.live("of many nodes that write to a workspace while it is deleted, none leaves a row behind", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      const deleted = yield* Effect.gen(function* () {
        const registry = yield* Registry
        yield* registry.createWorkspace(settings)
        const second = yield* registry.createWorkspace(settings)
        const writes = Effect.forEach(
          Array.from({ length: 20 }, (_, n) => n),
          (n) => Effect.exit(apply(identify(byId(`person ${n}`), [], { in: second }))),
        )
        yield* Effect.all(
          [
            writes.pipe(Effect.provide(nodeAt(url))),
            writes.pipe(Effect.provide(nodeAt(url))),
            registry.deleteWorkspace(second.id, noon),
          ],
          { concurrency: "unbounded" },
        )
        yield* sweepAll(noon + erasureMsMin)
        yield* writes
        return second
      }).pipe(Effect.provide(nodeAt(url)))
      assert.deepStrictEqual(withRows(yield* rowsOf(session, deleted.id)), [])
    }),
  )
})
