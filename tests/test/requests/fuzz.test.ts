import { afterAll, describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh, testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { identify, pipelines, pipelinesBasic, strict, track, trackBasic } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { head, RawConnection } from "../../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const person = { type: "person", identifiers: { id: "p" } }
const batch = {
  batch: [
    {
      ...person,
      action: "identify",
      attributes: { plan: "é💥", nested: { a: [1, 2.5, null] } },
      _timestamp: 1_700_000_000,
    },
    {
      ...person,
      action: "event",
      name: "bought",
      id: "01HB4HBDKTFWYZCK01DMRSWRFD",
      timestamp: 1_700_000_000,
    },
    { type: "person", identifiers: { anonymous_id: "v" }, action: "page", name: "https://x.example/?a=b" },
  ],
}
const call = {
  userId: "u",
  anonymousId: "v",
  timestamp: "2024-01-01T00:00:00.000Z",
  messageId: "m",
  context: { traits: {} },
}
const calls = {
  sentAt: "2024-01-01T00:00:00.000Z",
  batch: [
    { ...call, type: "identify", traits: { email: "a@example.com", createdAt: "2024-01-01" } },
    { ...call, type: "track", event: "bought", properties: { total: 1 } },
  ],
}

const targets: ReadonlyArray<readonly [string, string, string, object]> = [
  [
    "PUT",
    "/api/v1/customers/p",
    trackBasic,
    { email: "a@example.com", plan: "pro", _update: false, unsubscribed: true },
  ],
  [
    "POST",
    "/api/v1/customers/p/events",
    trackBasic,
    { name: "bought", type: "event", timestamp: 1, data: { a: [] } },
  ],
  ["POST", "/api/v1/events", trackBasic, { name: "looked", anonymous_id: "v", id: "k" }],
  ["POST", "/v2/entity", trackBasic, batch.batch[0] ?? {}],
  ["POST", "/v2/batch", trackBasic, batch],
  ["POST", "/v1/identify", pipelinesBasic, { ...call, traits: { a: 1 } }],
  ["POST", "/v1/track", pipelinesBasic, { ...call, event: "bought" }],
  ["POST", "/v1/batch", pipelinesBasic, calls],
]

const tokens = [
  "",
  '"',
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "null",
  "1e999",
  "-0",
  "\\u0000",
  "\\ud800",
  "\\",
  "é",
  '"":',
  "true",
  "__proto__",
]

/** Returns the bytes of `text` after one to four random edits. */
const mutated = (text: string, random: () => number): Buffer => {
  const below = (limit: number) => Math.floor(random() * limit)
  let bytes = Buffer.from(text)
  for (let rest = 1 + below(4); rest > 0; rest--) {
    const at = below(bytes.length)
    const to = Math.min(bytes.length, at + below(12))
    const token = Buffer.from(tokens[below(tokens.length)] ?? "")
    const kind = below(4)
    if (kind === 0) bytes = Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(to)])
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
    else if (kind === 2) bytes[at] = below(256)
    else bytes = bytes.subarray(0, Math.max(1, at))
  }
  return bytes
}

describe(`mutated requests (INLET_TEST_SEED=${seed})`, () => {
  it.each(targets)(
    "a request %s %s with a mutated body does not get a server error",
    async (method, path, authorization, payload) => {
      const random = fractions(seed)
      const text = JSON.stringify(payload)
      for (let n = 0; n < 80; n++) {
        const body = mutated(text, random)
        const sent = `${method} ${path} ${body.toString("base64")}`
        if (authorization === trackBasic) {
          expect([200, 207, 400], sent).toContain((await track(inlet, method, path, body)).status)
        } else {
          expect([200, 400], sent).toContain((await pipelines(inlet, path, body, strict)).status)
          expect((await pipelines(inlet, path, body)).text.trim(), sent).toBe('{"success":true}')
        }
      }
    },
  )

  it("mutated bytes of a request do not cause a server error", async () => {
    const random = fractions(seed)
    for (const [method, path, authorization, payload] of targets) {
      const body = JSON.stringify(payload)
      const headers = {
        host: "h",
        authorization,
        "content-length": String(Buffer.byteLength(body)),
        connection: "close",
      }
      const text = `${head(method, path, headers)}${body}`
      for (let n = 0; n < 12; n++) {
        const raw = await RawConnection.open(inlet.port)
        raw.socket.end(mutated(text, random))
        await eventually("the server closes the connection", () =>
          raw.closedAt === undefined ? undefined : true,
        )
        expect(raw.statuses().filter((status) => status >= 500 && status !== 505)).toEqual([])
      }
    }
  })

  it("after the mutated requests, people and activity can be read and new requests are accepted", async () => {
    expect((await management.activity({})).length).toBeGreaterThan(0)
    expect((await management.people({ limit: "1000" })).length).toBeGreaterThan(0)
    expect(await inlet.readiness()).toBe(200)
    const id = fresh("p")
    expectTrackSuccess(await identify(inlet, id, { plan: "pro" }))
    expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
  })
})
