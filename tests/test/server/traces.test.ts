import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { filesContaining } from "../../src/files.ts"
import { fresh } from "../../src/fresh.ts"
import { batch, event, identify, pipelines, track, trackBasic } from "../../src/ingestion.ts"
import { send } from "../../src/http.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"

describe("a first start that fails", () => {
  it("the start after a failed first start stores the generated credentials", async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => {
        const address = taken.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
    const dataDir = join(freshDirectory(), "data")
    const { INLET_API_KEY: _, ...variables } = variablesFor(dataDir)
    const failed = launch({ ...variables, INLET_PORT: String(port) })
    expect(await within("the server exits", failed.exit)).toEqual({ code: 1, signal: null })
    expect(failed.lines()).toHaveLength(1)
    expect(failed.lines()[0]).toContain("INLET_PORT")
    taken.close()
    const inlet = await Inlet.fromProcess(launch(variables), dataDir)
    await inlet.stop()
    expect(readFileSync(join(dataDir, "first-start-keys"), "utf8")).toMatch(/Track API key +\w{40,}/)
  })
})

describe("a deleted person", () => {
  it("the files of the store contain no data of a duplicate event after its person was deleted", async () => {
    const inlet = await Inlet.start()
    const [userId, anonymousId, name] = [fresh("gone"), fresh("visitor"), fresh("did")]
    await pipelines(inlet, "/v1/identify", { userId, anonymousId })
    const call = { userId, anonymousId, event: name, messageId: fresh("message") }
    await pipelines(inlet, "/v1/track", call)
    const second = await new Management(inlet).operation(await pipelines(inlet, "/v1/track", call))
    expect(second.outcome).toBe("duplicate")
    expectTrackSuccess(await track(inlet, "DELETE", `/api/v1/customers/${userId}`))
    await eventually("no file names the person", () =>
      filesContaining(inlet.dataDir, userId, anonymousId, name).length === 0 ? true : undefined,
    )
    await inlet.stop()
  })

  it("the id of a person can change to at most 1000 other ids that have pending events", async () => {
    const inlet = await Inlet.start()
    const management = new Management(inlet)
    const id = fresh("p")
    await identify(inlet, id)
    const { svc_id } = await management.person({ id })
    const ids = Array.from({ length: 1010 }, (_, n) => `${id}-${n}`)
    const item = { type: "person", action: "identify", identifiers: { svc_id } }
    for (let from = 0; from < ids.length; from += 505) {
      const items = ids.slice(from, from + 505).flatMap((next) => [
        { type: "person", action: "event", identifiers: { id: next }, name: "e" },
        { ...item, attributes: { id: next } },
      ])
      expectTrackSuccess(await batch(inlet, items))
    }
    expect((await management.person({ id: ids[999] ?? "" })).svc_id).toBe(svc_id)
    expect((await management.activity({ outcome: "partial" })).length).toBe(10)
    await inlet.stop()
  })
})

describe("identifiers that cannot be read exactly", () => {
  it("an id beyond 2^53 and an id that is not UTF-8 get a 400, and Content-Encoding ignores case", async () => {
    const inlet = await Inlet.start()
    const put = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
      send(inlet.url, {
        method: "POST",
        path: "/api/v2/entity",
        headers: { authorization: trackBasic, ...headers },
        body,
      })
    const big = '{"type":"person","action":"identify","identifiers":{"id":12345678901234567890}}'
    expect((await put(big)).status).toBe(400)
    const broken = Buffer.from('{"type":"person","action":"identify","identifiers":{"id":"b\xff"}}', "latin1")
    expect((await put(broken)).status).toBe(400)
    const good = '{"type":"person","action":"identify","identifiers":{"id":"good"}}'
    expect((await put(good, { "content-encoding": "Identity" })).status).toBe(200)
    expect((await event(inlet, "good", { name: "e" })).status).toBe(200)
    await inlet.stop()
  })
})
