import { assert, it } from "@effect/vitest"
import { barOf } from "../src/progressBar.ts"

it.each([
  [{ done: 0, total: 200, label: "0 rows" }, `${"░".repeat(30)}   0% 0 rows`],
  [{ done: 100, total: 200, label: "1 row" }, `${"█".repeat(15)}${"░".repeat(15)}  50% 1 row`],
  [{ done: 199, total: 200, label: "1 row" }, `${"█".repeat(30)}  99% 1 row`],
  [{ done: 200, total: 200, label: "2 rows" }, `${"█".repeat(30)} 100% 2 rows`],
  [{ done: 300, total: 200, label: "of a file that grew" }, `${"█".repeat(30)} 100% of a file that grew`],
  [{ done: 0, total: 0, label: "of nothing" }, `${"░".repeat(30)}   0% of nothing`],
])("barOf draws a progress bar for %j", (progress, line) => assert.strictEqual(barOf(progress), line))
