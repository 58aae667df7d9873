import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { decodeManifest, rangeFaults, type Manifest } from "@inlethq/lake/Manifest"
import { lakeTables } from "@inlethq/lake/columns"
import { rangeIn } from "@inlethq/lake/layout"
import { Effect } from "effect"
import { assert } from "vitest"
import { snapshotsIn } from "./icebergTable.ts"

/** An analyst finds the files of a manifest for this long after reading it. */
const readsMs = hourMs - 60_000

/** Somebody who reads manifests of a lake at any moment, and looks for their files until some time later. */
export class Analyst {
  private readonly folder: string
  private readonly now: () => number
  private taken: ReadonlyArray<{ readonly at: number; readonly text: string; readonly manifest: Manifest }> =
    []

  constructor(folder: string, now: () => number) {
    this.folder = folder
    this.now = now
  }

  readonly look: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const at = this.now()
    const path = join(this.folder, "lake/1/_manifest.json")
    const text = existsSync(path) ? readFileSync(path, "utf8") : null
    if (text !== null && this.taken.at(-1)?.text !== text) {
      const manifest = yield* Effect.orDie(decodeManifest(text))
      assert.deepStrictEqual(rangeFaults(manifest.files), [])
      this.taken = [...this.taken, { at, text, manifest }]
    }
    this.taken = this.taken.filter((one, place) => at - one.at <= readsMs || place === this.taken.length - 1)
    for (const { manifest } of this.taken) {
      const missing = manifest.files.filter((file) => !existsSync(join(this.folder, file.path)))
      assert.deepStrictEqual(missing, [])
    }
    yield* this.lookAtTables
  })

  /** Whichever snapshot a reader of Iceberg takes, all its files are there. The current one has each position at most once. */
  private readonly lookAtTables: Effect.Effect<void> = Effect.promise(async () => {
    for (const table of lakeTables) {
      for (const { files, isCurrent, missing } of await snapshotsIn(this.folder, table)) {
        assert.deepStrictEqual(missing, [])
        if (table !== "activity" || !isCurrent) continue
        const ranges = files.flatMap(({ path }) => rangeIn(path) ?? []).toSorted((a, b) => a.from - b.from)
        assert.deepStrictEqual(
          ranges.filter(({ from }, place) => place > 0 && from <= (ranges[place - 1]?.to ?? 0)),
          [],
        )
      }
    }
  })
}
