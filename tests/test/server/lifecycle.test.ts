import { execFile } from "node:child_process"
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { Schema } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { filesOf, filesContaining, modeOf } from "../../src/files.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { event, identify, pipelines, track, trackBasic } from "../../src/ingestion.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launch } from "../../src/Launched.ts"
import { Management, read } from "../../src/Management.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const Keys = Schema.Struct({
  items: Schema.Array(Schema.Struct({ kind: Schema.String, last_used_at: Schema.NullOr(Schema.String) })),
})

const running: Array<Inlet> = []
afterAll(() => Promise.all(running.map((inlet) => inlet.stop())))

const start = async (options: Parameters<typeof Inlet.start>[0] = {}): Promise<Inlet> => {
  const inlet = await Inlet.start(options)
  running.push(inlet)
  return inlet
}

/** Returns every string in JSON lines, at any depth. A line that is not JSON is returned as a whole. */
const stringsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const inside = (value: unknown): ReadonlyArray<string> => {
    if (typeof value === "string") return [value]
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(inside) : []
  }
  return lines.flatMap((line) => {
    try {
      return inside(JSON.parse(line))
    } catch {
      return [line]
    }
  })
}

const curlsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  stringsOf(lines).flatMap((text) =>
    [...text.matchAll(/(?:^|\s)(curl\s[\s\S]*?[^\\])(?=\n|$)/g)].map(([, curl = ""]) => curl),
  )

/**
 * Returns the printed words that look like credentials. A word looks like a credential if it has at least 20 characters
 * and is neither a path nor a time.
 */
const credentialsIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = stringsOf(lines).flatMap((text) => text.match(/[\w~.+/=-]{20,}/g) ?? [])
  return [...new Set(words)].filter((word) => !word.includes("/") && !/^\d{4}-\d\d-\d\dT/.test(word))
}

const paste = async (line: string): Promise<unknown> =>
  JSON.parse((await promisify(execFile)("sh", ["-c", line], { timeout: waitMsMax })).stdout)

const minuteOf = (at: number): string => new Date(at - (at % 60_000)).toISOString()

describe("keys", () => {
  it("a graceful stop records when keys were last used", async () => {
    const inlet = await start()
    const before = Date.now()
    expectTrackSuccess(await identify(inlet, fresh("p")))
    await inlet.stop()
    const again = await start({ dataDir: inlet.dataDir })
    const answer = await new Management(again).call("GET", "/workspaces/1/keys")
    const used = read(Keys, answer.json).items.map(({ kind, last_used_at }) => [kind, last_used_at])
    expect(used).toContainEqual(["pipelines", null])
    expect([minuteOf(before), minuteOf(Date.now())]).toContain(Object.fromEntries(used)["track"])
  })
})

describe("the first start", () => {
  it("the first start stores credentials and a working curl command in a private file, and logs neither", async () => {
    const dataDir = join(freshDirectory(), "data")
    const variables = { INLET_PORT: "0", INLET_DATA_DIR: dataDir }
    const first = launch(variables)
    const inlet = await Inlet.fromProcess(first, dataDir)
    const keysFile = await eventually("the server names the file with the keys", () =>
      stringsOf(first.lines()).find((text) => text.endsWith("first-start-keys")),
    )
    expect(keysFile).toBe(join(dataDir, "first-start-keys"))
    expect(modeOf(keysFile)).toBe(0o600)
    const shown = readFileSync(keysFile, "utf8").split("\n")
    const curls = curlsOf(shown)
    expect(curls.length).toBeGreaterThanOrEqual(3)
    for (const curl of curls) {
      const answer = await paste(curl)
      for (const fault of ["meta", "error", "errors", "status"]) expect(answer).not.toHaveProperty(fault)
    }
    expect(first.lines().join("\n")).toContain(dataDir)

    const tokenFile = filesOf(dataDir).find((file) => /token/i.test(file)) ?? "no token file"
    expect(modeOf(tokenFile)).toBe(0o600)
    const token = readFileSync(tokenFile, "utf8").trim()
    const printed = credentialsIn(shown)
    expect(curlsOf(first.lines())).toEqual([])
    for (const word of printed) expect(first.lines().join("\n")).not.toContain(word)
    expect(printed).toContain(token)
    const keys = await new Management(inlet, 1, token).call("GET", "/workspaces/1/keys")
    const secrets = printed.filter((word) => !keys.text.includes(word))
    expect(secrets.length).toBeGreaterThanOrEqual(3)
    for (const secret of secrets) {
      expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(20)
      expect(filesContaining(dataDir, secret)).toEqual(secret === token ? [keysFile, tokenFile] : [keysFile])
    }
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })

    rmSync(keysFile)
    const second = launch(variables)
    const again = await Inlet.fromProcess(second, dataDir)
    expect(curlsOf(second.lines())).toEqual([])
    for (const word of printed) expect(second.lines().join("\n")).not.toContain(word)
    expect(existsSync(keysFile)).toBe(false)
    expect((await new Management(again, 1, token).call("GET", "/workspaces/1/keys")).status).toBe(200)
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  })

  it("the file with the keys replaces a symbolic link, and has no keys that the operator chose", async () => {
    const [dataDir, other] = [freshDirectory(), join(freshDirectory(), "other")]
    writeFileSync(other, "kept")
    symlinkSync(other, join(dataDir, "first-start-keys"))
    const inlet = await Inlet.fromProcess(launch({ INLET_PORT: "0", INLET_DATA_DIR: dataDir }), dataDir)
    await eventually("the file has the keys", () =>
      readFileSync(join(dataDir, "first-start-keys"), "utf8").includes("Track API key") ? true : undefined,
    )
    expect(readFileSync(other, "utf8")).toBe("kept")
    await inlet.stop()
    const chosen = await Inlet.start()
    await chosen.stop()
    const shown = readFileSync(join(chosen.dataDir, "first-start-keys"), "utf8")
    expect(shown).toContain("/console/#login=")
    expect(shown + chosen.process.lines().join("\n")).not.toContain(credentials.apiKey)
  })

  it("with a store in memory, the first start prints the credentials to standard error", async () => {
    const process = launch({ INLET_PORT: "0", INLET_STORE: "memory" })
    await eventually("the credentials are printed", () =>
      /Track API key +\w{40,}/.test(process.output.join("\n")) ? true : undefined,
    )
    expect(await process.signal("SIGTERM")).toEqual({ code: 0, signal: null })
  })

  it("contract §3 digests: no file contains an API key or write key in clear text", async () => {
    const inlet = await start()
    await identify(inlet, fresh("p"), {})
    await pipelines(inlet, "/v1/track", { userId: "u", event: "e" })
    const { apiKey, writeKey, token } = credentials
    const inClear = filesContaining(inlet.dataDir, apiKey, writeKey, token)
    for (const file of inClear) {
      expect(filesContaining(inlet.dataDir, apiKey, writeKey)).not.toContain(file)
      expect(modeOf(file)).toBe(0o600)
      expect(file).toMatch(/token/i)
    }
    const basic = Buffer.from(`${credentials.siteId}:${apiKey}`).toString("base64")
    expect(filesContaining(inlet.dataDir, basic)).toEqual([])
  })
})

/** The time that a stopping server gives requests in flight to finish. */
const drainMs = 8000

/** Sends events from 16 concurrent loops until the server refuses them. */
const startLoad = (inlet: Inlet) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const acknowledged: Array<string> = []
  const write = async () => {
    for (;;) {
      const name = fresh("load")
      const path = "/api/v1/customers/p/events"
      const body = JSON.stringify({ name, id: name })
      const call = { agent, method: "POST", path, headers: { authorization: trackBasic }, body }
      const answer = await send(inlet.url, call).catch(() => undefined)
      if (answer === undefined || answer.status === 503) return
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      acknowledged.push(name)
    }
  }
  const writers = Array.from({ length: 16 }, write)
  const stop = async () => {
    await Promise.all(writers)
    agent.destroy()
  }
  return { acknowledged, stop }
}

/**
 * Sends the headers of an event, waits until the server answers 100 Continue, and then sends the beginning of the body.
 */
const sendHalf = async (inlet: Inlet) => {
  const name = fresh("under-way")
  const body = JSON.stringify({ name, id: name })
  const headers = {
    host: "h",
    authorization: trackBasic,
    "content-length": `${body.length}`,
    expect: "100-continue",
  }
  const raw = await RawConnection.open(inlet.port, head("POST", "/api/v1/customers/p/events", headers))
  await eventually("the server asks for the body", () => (raw.statuses().includes(100) ? true : undefined))
  raw.socket.write(body.slice(0, 9))
  return { name, raw, rest: body.slice(9) }
}

describe("SIGTERM", () => {
  it("a server stopped under load answers all requests in flight, keeps all acknowledged events and exits with 0", async () => {
    // A server that does not stop within `drainMs` may cut off requests in flight. The test therefore starts new
    // servers until one of them stops in time. This server must answer all requests in flight.
    await eventually("a server stops within its drain time", async () => {
      const inlet = await start()
      const load = startLoad(inlet)
      const underWay = await Promise.all(Array.from({ length: 20 }, () => sendHalf(inlet)))
      await eventually("more than 200 events are acknowledged", () =>
        load.acknowledged.length > 200 ? true : undefined,
      )
      const signalled = performance.now()
      const exit = inlet.stop()
      await eventually("the server refuses connections", () => refuses(inlet.port))
      for (const { raw, rest } of underWay) raw.socket.write(rest)
      expect(await within("the server exits", exit)).toEqual({ code: 0, signal: null })
      const took = performance.now() - signalled
      await load.stop()

      const again = await start({ dataDir: inlet.dataDir })
      const stored = new Set((await new Management(again).activity({ kind: "event" })).map(({ id }) => id))
      expect(load.acknowledged.filter((name) => !stored.has(name))).toEqual([])
      const answered = underWay.filter(({ raw }) => raw.statuses().includes(200))
      for (const { name } of answered) expect(stored.has(name)).toBe(true)
      if (took >= drainMs) return undefined
      for (const { raw } of underWay) expect(raw.statuses()).toEqual([100, 200])
      return true
    })
  })

  it.concurrent("a server that stops closes idle connections and event streams", async () => {
    const inlet = await start()
    const idle = await RawConnection.open(inlet.port)
    expect((await track(inlet, "GET", "/api/v1/accounts/region")).status).toBe(200)
    const stream = `/management/v1/workspaces/1/activity/stream`
    const reader = await RawConnection.open(
      inlet.port,
      head("GET", stream, { host: "h", authorization: `Bearer ${credentials.token}` }),
    )
    await eventually("the stream opens", () => (reader.statuses().length > 0 ? true : undefined))
    expect(await within("the server exits", inlet.stop())).toEqual({ code: 0, signal: null })
    await idle.waitForClose()
  })

  it.concurrent("a server that stops does not wait for the rest of requests that have arrived only in part", async () => {
    const inlet = await start()
    const headers = { host: "h", authorization: trackBasic, "content-length": "100" }
    const endless = [
      await RawConnection.open(inlet.port, `${head("PUT", "/api/v1/customers/p", headers)}{"plan":`),
      await RawConnection.open(inlet.port, "PUT /api/v1/customers/p HTTP/1.1\r\nhost: h\r\nauthor"),
    ]
    expect((await track(inlet, "GET", "/api/v1/accounts/region")).status).toBe(200)
    expect(await within("the server exits", inlet.stop())).toEqual({ code: 0, signal: null })
    for (const raw of endless) await raw.waitForClose()
  })

  it("a server stopped right after its start exits with 0", async () => {
    const process = launch(variablesFor(join(freshDirectory(), "data")))
    await process.listening()
    expect(await within("the server exits", process.signal("SIGTERM"))).toEqual({ code: 0, signal: null })
  })
})

describe("a restart", () => {
  it("people, events, deduplication keys and credentials survive a restart", async () => {
    const inlet = await start()
    const [id, email, name] = [fresh("p"), freshEmail(), fresh("e")]
    await identify(inlet, id, { email, plan: "pro" })
    await event(inlet, id, { name, id: name })
    const before = await new Management(inlet).person({ id })
    await inlet.stop()
    const again = await start({ dataDir: inlet.dataDir })
    const management = new Management(again)
    expect(await management.person({ email })).toEqual(before)
    expectTrackSuccess(await event(again, id, { name, id: name }))
    expect((await management.event(name)).id).toBe(name)
  })

  it("contract §6 svc_id after a restart: a deleted person's svc_id is not used again after a restart", async () => {
    const inlet = await start()
    const id = fresh("p")
    const used = new Set<string>()
    const remember = async (management: Management) => used.add((await management.person({ id })).svc_id)
    for (let n = 0; n < 3; n++) {
      await identify(inlet, id, {})
      await remember(new Management(inlet))
      await track(inlet, "DELETE", `/api/v1/customers/${id}`)
    }
    await inlet.stop()
    const again = await start({ dataDir: inlet.dataDir })
    await identify(again, id, {})
    await remember(new Management(again))
    expect(used.size).toBe(4)
  })
})

/** Returns true if a port refuses connections, otherwise undefined. */
const refuses = async (port: number): Promise<true | undefined> => {
  const raw = await RawConnection.open(port).catch(() => undefined)
  raw?.destroy()
  return raw === undefined ? true : undefined
}
