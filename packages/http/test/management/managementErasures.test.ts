import { assert, layer } from "@effect/vitest"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { lakeRewritesMax } from "@inlethq/core/ports/LakeFiles"
import { byId, identify, noon, remove } from "@inlethq/store-conformance/script/commands"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { apply, call, decodePage, newWorkspace, server } from "./managementServer.ts"

/** A receipt that names as many files of a lake as a receipt can. */
const longReceipt = JSON.stringify({
  receipt: "inlet-erasure-1",
  erasure_id: "er1-1",
  operation_id: "op",
  environment_id: 1,
  action: "delete",
  at: toIso(noon),
  position: 1,
  subjects: [],
  identifiers: [],
  addresses: [],
  key_id: "key",
  overwritten: true,
  lake_files: Array.from({ length: lakeRewritesMax }, (_, n) => ({
    table: "activity",
    from: n + 1,
    to: n + 1,
    path: `activity/${n}.parquet`,
    sha256: "0".repeat(64),
    new_path: `activity/${n}-again.parquet`,
    new_sha256: "1".repeat(64),
  })),
  sealed_at: toIso(noon),
  not_covered: [],
})

layer(server)("erasures in the management API", (it) => {
  it.effect("a page of erasures with long receipts ends before one MiB, and the next page continues", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const ledger = yield* ErasureLedger
      const names = Array.from({ length: 8 }, (_, n) => `p${n}`)
      for (const name of names) {
        yield* apply(identify(byId(name), [], { in: workspace }), remove(byId(name), { in: workspace }))
      }
      const { items: records } = yield* ledger.read(workspace.id, { after: null, limit: 100, order: "asc" })
      for (const record of records) {
        yield* ledger.seal(workspace.id, record, { text: longReceipt, signature: "signature" })
      }
      const seen: Array<unknown> = []
      let pages = 0
      for (let after: string | null = ""; after !== null; pages++) {
        const from: string = after === "" ? "" : `&after=${after}`
        const { json } = yield* call("GET", `/workspaces/${workspace.id}/erasures?order=asc&limit=250${from}`)
        const page = yield* decodePage(json)
        assert.isAtMost(JSON.stringify(page.items).length, 1024 * 1024)
        seen.push(...page.items.map(({ position }) => position))
        after = page.next
      }
      assert.deepStrictEqual(
        seen,
        records.map(({ position }) => position),
      )
      assert.isAbove(pages, 1)
    }),
  )
})
