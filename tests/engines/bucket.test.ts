import { writeFile } from "node:fs/promises"
import { hash } from "node:crypto"
import { join } from "node:path"
import { bucketTarget, type BucketAccess } from "@inlethq/lake/targets/bucket"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { Inlet } from "../src/Inlet.ts"
import { Tenant } from "../src/Tenant.ts"
import { changeSignatures, gatewayProgram, SignedBucket } from "./SignedBucket.ts"

const manifest = "lake/1/_manifest.json"

/** Writes a text, and returns why that failed, or null. */
const write = (access: BucketAccess) =>
  Effect.runPromise(
    bucketTarget(access)
      .putText(manifest, '{"to":1}')
      .pipe(Effect.match({ onFailure: ({ message }) => message, onSuccess: () => null })),
  )

describe.skipIf(gatewayProgram === undefined)("a bucket whose server checks signatures", () => {
  it("takes, lists, returns and removes objects below a prefix with any characters", async () => {
    const { access } = await SignedBucket.start()
    const target = bucketTarget({ ...access, url: `s3://events/it's <a> "prefix" & 100% ü +` })
    const file = join(freshDirectory(), "one")
    const bytes = Buffer.alloc(3_000_000, "parquet")
    await writeFile(file, bytes)
    const path = "lake/1/activity/day=2026-11-23/one.g1.parquet"
    const many = Array.from({ length: 1100 }, (_, index) => `lake/2/${index}`)
    const seen = await Effect.runPromise(
      Effect.gen(function* () {
        yield* target.put(path, file, hash("sha256", bytes, "hex"))
        yield* target.putText(manifest, '{"to":1}')
        yield* Effect.forEach(many, (one) => target.putText(one, ""), { concurrency: 8 })
        const listed = yield* target.list("lake/1")
        const pages = yield* target.list("lake/2")
        const text = yield* target.readText(manifest)
        yield* target.remove(path)
        yield* target.remove(path)
        return { listed: listed.map((one) => one.path), pages, text, left: yield* target.list("lake/1") }
      }),
    )
    expect(seen).toMatchObject({ listed: [manifest, path], text: '{"to":1}' })
    expect(new Set(seen.pages.map((one) => one.path))).toEqual(new Set(many))
    expect(seen.left).toHaveLength(1)
  })

  it("refuses another secret, a changed signature and a changed object, and says why", async () => {
    const { access, port } = await SignedBucket.start()
    expect(await write(access)).toBeNull()
    expect(await write({ ...access, secretAccessKey: "another" })).toContain("SignatureDoesNotMatch")
    expect(await write({ ...access, accessKeyId: "ANOTHER" })).toContain("No user exists")
    const unchanged = await changeSignatures(port, (signed) => signed)
    expect(await write({ ...access, endpoint: unchanged })).toBeNull()
    const changed = await changeSignatures(port, (signed) =>
      signed.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    )
    expect(await write({ ...access, endpoint: changed })).toContain("SignatureDoesNotMatch")
    const file = join(freshDirectory(), "one")
    await writeFile(file, "swapped")
    const put = bucketTarget(access).put("lake/1/one", file, hash("sha256", "signed", "hex"))
    expect((await Effect.runPromise(Effect.flip(put))).message).toContain("XAmzContentSHA256Mismatch")
  })

  it("lets one of several writers write a text that does not exist", async () => {
    const { access } = await SignedBucket.start()
    const path = "lake/1/activity/metadata/v1.metadata.json"
    const writes = Array.from({ length: 8 }, (_, writer) => bucketTarget(access).putNew(path, String(writer)))
    const written = await Effect.runPromise(Effect.all(writes, { concurrency: "unbounded" }))
    expect(written.filter((one) => one)).toHaveLength(1)
    expect(await Effect.runPromise(bucketTarget(access).readText(path))).toBe(String(written.indexOf(true)))
  })

  it("holds the lake of a server, whose files are as they were written", async () => {
    const bucket = await SignedBucket.start()
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    await tenant.recordEvent("ada", { name: "bought" })
    await tenant.updateSettings({ lake: bucket.settings })
    await eventually("the lake is written", async () => {
      const { failure, snapshot_to } = Object(await tenant.get("/lake"))
      expect(failure).toBeNull()
      return snapshot_to === null ? undefined : true
    })
    const { json } = await tenant.call("POST", tenant.pathOf("/lake/verify"))
    expect(json).toMatchObject({ rows: 1, faults: [] })
  })
})
