import { assert, it } from "@effect/vitest"
import { barOf, paceOf } from "../src/output/progressBar.ts"

it.each([
  [{ done: 0, total: 200, label: "0 rows" }, `${"░".repeat(30)}   0% 0 rows`],
  [{ done: 100, total: 200, label: "1 row" }, `${"█".repeat(15)}${"░".repeat(15)}  50% 1 row`],
  [{ done: 199, total: 200, label: "1 row" }, `${"█".repeat(30)}  99% 1 row`],
  [{ done: 200, total: 200, label: "2 rows" }, `${"█".repeat(30)} 100% 2 rows`],
  [{ done: 300, total: 200, label: "of a file that grew" }, `${"█".repeat(30)} 100% of a file that grew`],
  [{ done: 0, total: 0, label: "of nothing" }, `${"░".repeat(30)}   0% of nothing`],
])("barOf draws a progress bar for %j", (progress, line) => assert.strictEqual(barOf(progress), line))

it.each([
  [{ items: 10, done: 10, total: 100, elapsedMs: 500 }, ""],
  [{ items: 0, done: 0, total: 100, elapsedMs: 5000 }, ""],
  [{ items: 6800, done: 500, total: 1000, elapsedMs: 2000 }, "3,400/s, 2 s left"],
  [{ items: 1, done: 1, total: 200, elapsedMs: 1000 }, "1/s, 3 min left"],
  [{ items: 1, done: 1, total: 10_000, elapsedMs: 1000 }, "1/s, 2 h 47 min left"],
  [{ items: 5, done: 120, total: 100, elapsedMs: 1000 }, "5/s, 0 s left"],
])("paceOf returns the rate and the time left for %j", (pace, text) => assert.strictEqual(paceOf(pace), text))
