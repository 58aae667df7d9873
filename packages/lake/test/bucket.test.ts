import { readFile, writeFile } from "node:fs/promises"
import { hash } from "node:crypto"
import { createServer, type Server } from "node:http"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import S3rver from "s3rver"
import { bucketTarget } from "../src/targets/bucket.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-lake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
)

/** An S3-compatible server that is not ours. It refuses unknown keys, but does not check signatures of version 4. */
const server = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const running = new S3rver({
        port: 0,
        address: "127.0.0.1",
        silent: true,
        directory,
        configureBuckets: [{ name: "events", configs: [] }],
      })
      return { running, ...(await running.run()) }
    }),
    ({ running }) => Effect.promise(() => running.close()),
  )
  return {
    url: `s3://events/it's <a> "prefix" & 100% ü +`,
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  }
})

describe("a lake in a bucket", () => {
  it.live("objects are written, listed, read and removed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const target = bucketTarget(yield* server)
      const file = join(folder, "one")
      const bytes = Buffer.alloc(3_000_000, "parquet")
      yield* Effect.promise(() => writeFile(file, bytes))
      const path = "lake/1/activity/day=2026-11-23/one.g1.parquet"
      yield* target.put(path, file, hash("sha256", bytes, "hex"))
      yield* target.putText("lake/1/_manifest.json", '{"to":1}')
      assert.strictEqual(yield* target.readText("lake/1/_manifest.json"), '{"to":1}')
      assert.isNull(yield* target.readText("lake/2/_manifest.json"))
      const listed = yield* target.list("lake/1")
      assert.deepStrictEqual(
        listed.map((object) => object.path),
        ["lake/1/_manifest.json", path],
      )
      const read = yield* Effect.scoped(
        Effect.flatMap(target.local(path), (copy) => Effect.promise(() => readFile(copy))),
      )
      assert.isTrue(bytes.equals(read))
      yield* target.remove(path)
      yield* target.remove(path)
      assert.strictEqual((yield* target.list("lake/1")).length, 1)
      assert.include((yield* Effect.flip(Effect.scoped(target.local(path)))).message, "does not exist")
    }).pipe(Effect.scoped),
  )

  it.live("a redirect is not followed, and said", () =>
    Effect.gen(function* () {
      const reached = yield* server
      const redirecting = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const other = createServer(({ url }, response) => {
            response.writeHead(307, { location: `${reached.endpoint}${url}` }).end()
          })
          other.listen(0, "127.0.0.1", () => resume(Effect.succeed(other)))
        }),
        (other) => Effect.sync(() => other.close()),
      )
      const address = redirecting.address()
      const port = typeof address === "object" ? address?.port : undefined
      const target = bucketTarget({ ...reached, endpoint: `http://127.0.0.1:${port}` })
      const { message } = yield* Effect.flip(target.putText("lake/1/_manifest.json", "{}"))
      assert.include(message, "307, a redirect to another address, which is not followed")
      assert.deepStrictEqual(yield* bucketTarget(reached).list("lake/1"), [])
    }).pipe(Effect.scoped),
  )

  it.live("an unknown key is refused, with the answer of the server as the reason", () =>
    Effect.gen(function* () {
      const target = bucketTarget({ ...(yield* server), accessKeyId: "UNKNOWN" })
      const { message } = yield* Effect.flip(target.putText("lake/1/_manifest.json", "{}"))
      assert.include(message, "InvalidAccessKeyId")
    }).pipe(Effect.scoped),
  )
})
