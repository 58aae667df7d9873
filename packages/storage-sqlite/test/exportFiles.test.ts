import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Stream } from "effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { exportFilesIn, importFilesIn } from "../src/importFiles.ts"
import { temporaryDirectory } from "./temporary.ts"

const key = { workspace: WorkspaceId.make(2), name: "17.rows" }

describe("files of exports in the data directory", () => {
  it.live("are saved in parts, listed, read and removed, and only their owner can read them", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const files = exportFilesIn(directory)
      const text = Effect.map(Stream.runCollect(files.read(key)), (parts) => Buffer.concat(parts).toString())
      assert.deepStrictEqual(yield* files.list, [])
      assert.strictEqual(yield* text, "")
      yield* files.save(key, Stream.fromIterable(["a", "b".repeat(300_000)].map((one) => Buffer.from(one))))
      assert.strictEqual((yield* text).length, 300_001)
      assert.deepStrictEqual(yield* files.list, [key])
      assert.deepStrictEqual(yield* importFilesIn(directory).list, [])
      assert.strictEqual(statSync(join(directory, "exports", "2-17.rows")).mode & 0o777, 0o600)
      yield* files.remove(key)
      assert.deepStrictEqual(yield* files.list, [])
      yield* files.remove(key)
    }),
  )
})
