import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folderTarget } from "../src/targets/folder.ts"
import type { LakeTarget } from "../src/targets/LakeTarget.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-lake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
)

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

/** Writes a file and a manifest, and returns the modes of everything in the folder. */
const modesAfter = Effect.fnUntraced(function* (root: string, target: LakeTarget) {
  yield* target.prepare("lake/1")
  const file = join(target.workFolder, "one")
  yield* Effect.promise(() => writeFile(file, "rows"))
  yield* target.put("lake/1/activity/day=2026-11-23/one.parquet", file, "")
  yield* target.putText("lake/1/_manifest.json", "{}")
  return yield* Effect.promise(async () => {
    const paths = await readdir(root, { recursive: true })
    const modes = paths.toSorted().map(async (path) => `${path} ${await modeOf(join(root, path))}`)
    return [await modeOf(root), ...(await Promise.all(modes))]
  })
})

describe("a lake in a folder", () => {
  it.live("is for the user of the server alone", () =>
    Effect.gen(function* () {
      const root = join(yield* temporaryFolder, "new", "warehouse")
      assert.deepStrictEqual(yield* modesAfter(root, folderTarget(root)), [
        "700",
        "_writing 700",
        "lake 700",
        "lake/1 700",
        "lake/1/_manifest.json 600",
        "lake/1/activity 700",
        "lake/1/activity/day=2026-11-23 700",
        "lake/1/activity/day=2026-11-23/one.parquet 600",
      ])
    }).pipe(Effect.scoped),
  )

  it.live("has a text that is written once, whoever writes it first", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const path = "lake/1/activity/metadata/v1.metadata.json"
      const all = Array.from({ length: 8 }, (_, writer) => folderTarget(root).putNew(path, String(writer)))
      const written = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(written.filter((one) => one).length, 1)
      assert.strictEqual(yield* folderTarget(root).readText(path), String(written.indexOf(true)))
      const left = yield* Effect.promise(() => readdir(join(root, "lake/1/activity/metadata")))
      assert.deepStrictEqual(left, ["v1.metadata.json"])
    }).pipe(Effect.scoped),
  )

  it.live("is for its group, or for all, if the settings say so", () =>
    Effect.gen(function* () {
      const root = join(yield* temporaryFolder, "warehouse")
      const group = yield* modesAfter(root, folderTarget(root, "group"))
      assert.include(group, "lake/1 750")
      assert.include(group, "lake/1/_manifest.json 640")
      assert.include(group, "_writing 700")
      const all = yield* modesAfter(root, folderTarget(root, "all"))
      assert.include(all, "lake/1 755")
      assert.include(all, "lake/1/_manifest.json 644")
    }).pipe(Effect.scoped),
  )

  it.live("is closed once the settings say so, and the folder around it stays as it is", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* Effect.promise(() => chmod(root, 0o755))
      yield* Effect.promise(() => mkdir(join(root, "lake", "1"), { recursive: true, mode: 0o755 }))
      const modes = yield* modesAfter(root, folderTarget(root))
      assert.deepStrictEqual([modes[0], modes.includes("lake/1 700")], ["755", true])
    }).pipe(Effect.scoped),
  )
})
