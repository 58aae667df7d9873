import { Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { send } from "../../src/http.ts"
import { launchAs } from "../../src/Launched.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { workerd } from "../../src/runtimes.ts"
import { bundleSdk } from "../../src/sdkBundle.ts"

/**
 * A Cloudflare worker that answers a request at once. With `waitUntil`, it keeps running until the track call is
 * delivered.
 */
const worker = `
import { Inlet } from "sdk"
export default {
  async fetch(request, { url, writeKey }, context) {
    const inlet = new Inlet({ url, writeKey, waitUntil: (promise) => context.waitUntil(promise), onWarning: () => {} })
    inlet.track({ userId: "ada", event: "seen", properties: { path: new URL(request.url).pathname } })
    return new Response("answered")
  },
}
`

const configOf = (url: string, writeKey: string): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "worker.mjs"),
    (name = "sdk", esModule = embed "sdk.mjs"),
  ],
  compatibilityDate = "2026-01-01",
  bindings = [(name = "url", text = "${url}"), (name = "writeKey", text = "${writeKey}")],
);
`

const Listening = Schema.fromJsonString(Schema.Struct({ event: Schema.Literal("listen"), port: Schema.Int }))

/** Starts the worker. A proxy between the SDK and the server causes the given faults. */
const startWorker = async (program: string, ...faults: ReadonlyArray<Fault>) => {
  const source = await PipelinesSource.create()
  await source.post("identify", { userId: "ada" })
  const proxy = await FaultyProxy.start(source.inlet, ...faults)
  const folder = freshDirectory()
  writeFileSync(join(folder, "sdk.mjs"), await bundleSdk("Inlet.ts", false))
  writeFileSync(join(folder, "worker.mjs"), worker)
  writeFileSync(join(folder, "config.capnp"), configOf(proxy.url, source.writeKey))
  const launched = launchAs([program, "serve", join(folder, "config.capnp"), "--control-fd=1"], {})
  const line = await eventually("the worker listens", () => {
    if (launched.exited !== undefined) throw new Error(launched.lines().join("\n"))
    return launched.lines()[0]
  })
  const { port } = Schema.decodeUnknownSync(Listening)(line)
  return { address: `http://127.0.0.1:${port}`, source }
}

describe.runIf(workerd !== undefined)("the SDK in workerd", () => {
  it.each<readonly [string, ReadonlyArray<Fault>]>([
    ["", []],
    [", also if the first request fails", [{ _tag: "Answer", status: 503 }]],
  ])("a worker delivers its call after it has answered%s", async (_name, faults) => {
    const { address, source } = await startWorker(workerd ?? "", ...faults)
    expect(await send(address, { method: "GET", path: "/pricing" })).toMatchObject({ status: 200 })
    const events = () => source.activity({ name: "seen" })
    await eventually("the event is stored", async () => ((await events()).length > 0 ? true : undefined))
    expect(await events()).toMatchObject([{ outcome: "applied", data: { path: "/pricing" } }])
  })
})
