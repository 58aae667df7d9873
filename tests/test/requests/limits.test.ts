import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectFaultList,
  expectSingleFault,
  expectStrictFault,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh, textOfBytes } from "../../src/fresh.ts"
import { batch, entity, event, identify, pipelines, strict, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management, read, Workspace } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const characters = ["x", "é", "あ", "💥"]
const kibibyte = 1024

/**
 * Returns the JSON of `payload(filler)`. The length of the filler is chosen so that the JSON has exactly `bytes` bytes.
 */
const jsonOf = (bytes: number, payload: (filler: string) => unknown, character = "x"): string => {
  const bare = Buffer.byteLength(JSON.stringify(payload("")))
  const text = JSON.stringify(payload(textOfBytes(bytes - bare, "", character)))
  if (Buffer.byteLength(text) !== bytes)
    throw new Error("the filler must not contain characters that JSON escapes")
  return text
}

const gzip = { "content-encoding": "gzip" }

describe.each(characters)("the size of a request filled with %s", (character) => {
  const v1 = (name: string, bytes: number) =>
    jsonOf(bytes, (filler) => ({ name, data: { filler } }), character)
  const v2 = (name: string, bytes: number) =>
    jsonOf(
      bytes,
      (filler) => ({
        type: "person",
        identifiers: { id: "p" },
        action: "event",
        name,
        attributes: { filler },
      }),
      character,
    )
  const piped = (event: string, bytes: number) =>
    jsonOf(bytes, (filler) => ({ userId: "p", event, properties: { filler } }), character)

  it("track-api §8 v1 request: an event of 32 KB is accepted in v1 and an event one byte larger is rejected, even if compressed", async () => {
    for (const inflate of [false, true]) {
      const post = (text: string) =>
        track(
          inlet,
          "POST",
          "/api/v1/customers/p/events",
          inflate ? gzipSync(text) : text,
          inflate ? gzip : {},
        )
      const [fits, over] = [fresh("e"), fresh("e")]
      expectTrackSuccess(await post(v1(fits, 32 * kibibyte)))
      expect(await management.activity({ name: fits })).toHaveLength(1)
      const answer = await post(v1(over, 32 * kibibyte + 1))
      expect(answer.status).toBe(413)
      expectSingleFault(answer)
      expect(await management.activity({ name: over })).toEqual([])
    }
  })

  it("track-api §8 v2 entity request: /v2/entity accepts a request of 32 KB and rejects a request one byte larger, even if compressed", async () => {
    for (const inflate of [false, true]) {
      const post = (text: string) => entity(inlet, inflate ? gzipSync(text) : text, inflate ? gzip : {})
      const [fits, over] = [fresh("e"), fresh("e")]
      expectTrackSuccess(await post(v2(fits, 32 * kibibyte)))
      expect(await management.activity({ name: fits })).toHaveLength(1)
      const answer = await post(v2(over, 32 * kibibyte + 1))
      expect(answer.status).toBe(413)
      expectEntityFaults(answer, { reason: "too_large" })
      expect(await management.activity({ name: over })).toEqual([])
    }
  })

  it("Pipelines in strict mode accepts a call of 32 KB and rejects a call one byte larger", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", piped(fits, 32 * kibibyte), strict))
    expect(await management.activity({ name: fits })).toHaveLength(1)
    for (const [body, headers] of [
      [piped(over, 32 * kibibyte + 1), strict] as const,
      [gzipSync(piped(over, 32 * kibibyte + 1)), { ...gzip, ...strict }] as const,
    ]) {
      const answer = await pipelines(inlet, "/v1/track", body, headers)
      expect(answer.status).toBe(400)
      expectStrictFault(answer)
    }
    const refused = await management.activity({ name: over })
    expect(refused.map(({ outcome }) => outcome)).toEqual(["rejected", "rejected"])
  })

  it("Pipelines in default mode stores a call of 64 KB, and answers a call one byte larger with success without storing it", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", piped(fits, 64 * kibibyte)))
    expect(await management.activity({ name: fits })).toHaveLength(1)
    const answer = await pipelines(inlet, "/v1/track", piped(over, 64 * kibibyte + 1))
    expectPipelinesSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "rejected" })
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/track", gzipSync(piped(over, 64 * kibibyte + 1)), gzip),
    )
    expect(
      (await management.activity({ name: over })).filter(({ outcome }) => outcome !== "rejected"),
    ).toEqual([])
  })
})

describe("an identify over the limit", () => {
  it("contract §5 over a limit: answers a v1 identify that is too large with 413 and a list of faults", async () => {
    const answer = await identify(
      inlet,
      fresh("p"),
      Object.fromEntries([...Array(40).keys()].map((n) => [n, textOfBytes(900)])),
    )
    expect(answer.status).toBe(413)
    expectFaultList(answer)
  })
})

const item = (name: string, filler: string) => ({
  type: "person",
  identifiers: { id: "p" },
  action: "event",
  name,
  attributes: { filler },
})

/**
 * Returns a batch of exactly this many bytes. The batch has 17 items of valid size, and one more item that fills the
 * remaining bytes.
 */
const wholeBatch = (name: string, bytes: number) => {
  const full = Array.from({ length: 17 }, () => item(name, textOfBytes(29_000)))
  return jsonOf(bytes, (filler) => ({ batch: [...full, item(name, filler)] }))
}

describe("a v2 batch", () => {
  it("track-api §8 v2 batch request: /v2/batch accepts a request of 500 KB and rejects a request one byte larger", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    expectTrackSuccess(await track(inlet, "POST", "/v2/batch", wholeBatch(fits, 500 * kibibyte)))
    expect(await management.activity({ name: fits })).toHaveLength(18)
    for (const answer of [
      await track(inlet, "POST", "/v2/batch", wholeBatch(over, 500 * kibibyte + 1)),
      await track(inlet, "POST", "/v2/batch", gzipSync(wholeBatch(over, 500 * kibibyte + 1)), gzip),
    ]) {
      expect(answer.status).toBe(413)
      expectEntityFaults(answer, { reason: "too_large" })
    }
    expect(await management.activity({ name: over })).toEqual([])
  })

  it.each(characters)(
    "contract §5 batch item: accepts a batch item of 32 KB filled with %s and rejects only the item that is one byte larger",
    async (character) => {
      const [fits, over, other] = [fresh("e"), fresh("e"), fresh("e")]
      const json = (name: string, bytes: number) => jsonOf(bytes, (filler) => item(name, filler), character)
      const body = `{"batch":[${json(fits, 32 * kibibyte)},${json(over, 32 * kibibyte + 1)},${JSON.stringify(item(other, ""))}]}`
      const answer = await track(inlet, "POST", "/v2/batch", body)
      expect(answer.status).toBe(207)
      expectEntityFaults(answer, { batch_index: 1, reason: "too_large" })
      for (const name of [fits, other]) expect(await management.activity({ name })).toHaveLength(1)
      expect(
        (await management.activity({ name: over })).filter(({ outcome }) => outcome !== "rejected"),
      ).toEqual([])
    },
  )
})

const call = (event: string, filler: string) => ({
  type: "track",
  userId: "p",
  event,
  properties: { filler },
})

const stored = async (name: string) =>
  (await management.activity({ name })).filter(({ outcome }) => outcome !== "rejected").length

const pair = (name: string, bytes: number) =>
  `{"batch":[${JSON.stringify(call(name, ""))},${jsonOf(bytes, (filler) => call(name, filler))}]}`

const wholeCalls = (event: string, bytes: number) => {
  const room = Math.floor((bytes - 2000) / 29_100)
  const full = Array.from({ length: room }, () => call(event, textOfBytes(29_000)))
  return { count: room + 1, text: jsonOf(bytes, (filler) => ({ batch: [...full, call(event, filler)] })) }
}

describe("a Pipelines batch", () => {
  it("strict mode accepts a batch of 500 KB and rejects a batch one byte larger", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    const { count, text } = wholeCalls(fits, 500 * kibibyte)
    expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", text, strict))
    expect(await stored(fits)).toBe(count)
    const answer = await pipelines(inlet, "/v1/batch", wholeCalls(over, 500 * kibibyte + 1).text, strict)
    expect(answer.status).toBe(400)
    expectStrictFault(answer)
    expect(await stored(over)).toBe(0)
  })

  it("strict mode accepts a batch with a call of 32 KB and rejects a batch with a call one byte larger", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", pair(fits, 32 * kibibyte), strict))
    expect(await stored(fits)).toBe(2)
    const answer = await pipelines(inlet, "/v1/batch", pair(over, 32 * kibibyte + 1), strict)
    expect(answer.status).toBe(400)
    expectStrictFault(answer)
    expect(await stored(over)).toBe(0)
  })

  it("default mode stores a batch of 1 MB, and answers a batch one byte larger with success without storing it", async () => {
    const [fits, over] = [fresh("e"), fresh("e")]
    const { count, text } = wholeCalls(fits, kibibyte * kibibyte)
    expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", text))
    expect(await stored(fits)).toBe(count)
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/batch", wholeCalls(over, kibibyte * kibibyte + 1).text),
    )
    expect(await stored(over)).toBe(0)
  })

  it("default mode drops only those calls of a batch that are larger than 64 KB", async () => {
    const [fits, over, other] = [fresh("e"), fresh("e"), fresh("e")]
    const calls = [
      jsonOf(64 * kibibyte, (filler) => call(fits, filler)),
      jsonOf(64 * kibibyte + 1, (filler) => call(over, filler)),
      JSON.stringify(call(other, "")),
    ]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", `{"batch":[${calls.join(",")}]}`))
    expect([await stored(fits), await stored(over), await stored(other)]).toEqual([1, 0, 1])
  })
})

const list = (bytes: number, character: string) => [textOfBytes(bytes - 4, "", character)]

describe.each(characters)("names and values filled with %s", (character) => {
  it("track-api §8 person id: an id of 150 bytes is accepted and an id of 151 bytes is rejected", async () => {
    const fits = textOfBytes(150, fresh("p"), character)
    const over = textOfBytes(151, fresh("p"), character)
    expectTrackSuccess(await identify(inlet, fits, {}))
    const v1 = await identify(inlet, over, {})
    expect(v1.status).toBe(400)
    expectFaultList(v1)
    const v2 = await entity(inlet, { type: "person", identifiers: { id: over }, action: "identify" })
    expect(v2.status).toBe(400)
    expectEntityFaults(v2, { reason: "too_long", field: "identifiers.id" })
    const piped = await pipelines(inlet, "/v1/identify", { userId: over })
    expectPipelinesSuccess(piped)
    expect(await management.operation(piped)).toMatchObject({ outcome: "rejected" })
    expect((await management.person({ id: fits })).id).toBe(fits)
    expect(await management.people({ id: over })).toEqual([])
  })

  it("track-api §8 attribute name: an identify accepts a name of 150 bytes and a value of 1000 bytes, and rejects or leaves out longer names and values", async () => {
    const [id, userId] = [fresh("p"), fresh("p")]
    const fits = { [textOfBytes(150, "n", character)]: 1, text: textOfBytes(1000, "", character) }
    expectTrackSuccess(await identify(inlet, id, fits))
    expect((await management.person({ id })).attributes).toEqual(fits)
    for (const over of [
      { [textOfBytes(151, "n", character)]: 1 },
      { text: textOfBytes(1001, "", character) },
    ]) {
      expect((await identify(inlet, id, over)).status).toBe(400)
      const answer = await entity(inlet, {
        type: "person",
        identifiers: { id },
        action: "identify",
        attributes: over,
      })
      expect(answer.status).toBe(400)
      expectEntityFaults(answer, { reason: "too_long" })
      for (const headers of [{}, strict]) {
        const piped = await pipelines(
          inlet,
          "/v1/identify",
          { userId, traits: { ...over, plan: "pro" } },
          headers,
        )
        expectPipelinesSuccess(piped)
        expect(await management.operation(piped)).toMatchObject({
          outcome: "partial",
          reason: expect.any(String),
        })
      }
    }
    expect((await management.person({ id })).attributes).toEqual(fits)
    expect((await management.person({ id: userId })).attributes).toEqual({ plan: "pro" })
  })

  it("contract §5 attribute values: the size of an attribute value that is not a string is the number of bytes of its JSON", async () => {
    const id = fresh("p")
    expectTrackSuccess(await identify(inlet, id, { list: list(1000, character) }))
    expect((await identify(inlet, id, { list: list(1001, character) })).status).toBe(400)
    expect((await management.person({ id })).attributes).toEqual({ list: list(1000, character) })
  })

  it("track-api §8 event name: a name that has 100 bytes once trimmed is accepted, and a name of 101 bytes is rejected", async () => {
    const id = fresh("p")
    const fits = textOfBytes(100, fresh("e"), character)
    const over = textOfBytes(101, fresh("e"), character)
    expectTrackSuccess(await event(inlet, id, { name: `   ${fits}   ` }))
    expect((await management.event(fits)).name).toBe(fits)
    const v1 = await event(inlet, id, { name: over })
    expect(v1.status).toBe(400)
    expectSingleFault(v1, "event name cannot be longer than 100 bytes")
    const piped = await pipelines(inlet, "/v1/track", { userId: id, event: over })
    expectPipelinesSuccess(piped)
    expect(await management.operation(piped)).toMatchObject({ outcome: "rejected" })
    const batched = await batch(inlet, [
      { type: "person", identifiers: { id }, action: "screen", name: over },
    ])
    expect(batched.status).toBe(400)
    expectEntityFaults(batched, { batch_index: 0, reason: "too_long", field: "name" })
  })
})

const numbered = (from: number, to: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`a${from + n}`, 1]))

describe("a person's attributes", () => {
  it("track-api §8 attributes per person: an identify leaves out the 301st attribute of a person, but updates existing attributes", async () => {
    const id = fresh("p")
    expectTrackSuccess(await identify(inlet, id, numbered(0, 300)))
    const over = await identify(inlet, id, { a300: 1, a0: 2 })
    expectTrackSuccess(over)
    expect(await management.operation(over)).toMatchObject({ outcome: "partial", reason: expect.any(String) })
    expect((await management.person({ id })).attributes).toEqual({ ...numbered(0, 300), a0: 2 })
    await identify(inlet, id, { a0: null, a300: 1 })
    expect((await management.person({ id })).attributes).toEqual(numbered(1, 301))
  })

  it("a Pipelines call applies only the first 300 traits and leaves out all further traits", async () => {
    const userId = fresh("p")
    const answer = await pipelines(inlet, "/v1/identify", { userId, traits: numbered(0, 301) })
    expectPipelinesSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial" })
    expect(Object.keys((await management.person({ id: userId })).attributes)).toHaveLength(300)
  })
})

const data = (bytes: number) => ({ filler: textOfBytes(bytes - 13, "", "é") })

describe("a workspace with a raised request limit", () => {
  it("track-api §8 event data: an event with 100000 bytes of data is accepted, and an event with more data is rejected", async () => {
    const roomy = await Tenant.create({}, inlet)
    const limits = { request_bytes: 300_000, batch_item_bytes: 300_000 }
    const patched = await roomy.call("PATCH", roomy.pathOf(""), { limits })
    expect(read(Workspace, patched.json).limits).toMatchObject({ ...limits, event_data_bytes: 100_000 })
    const headers = roomy.authorization
    const [v1, v2] = [fresh("e"), fresh("e")]
    const path = "/api/v1/customers/p/events"
    expectTrackSuccess(await track(inlet, "POST", path, { name: v1, data: data(100_000) }, headers))
    const person = { type: "person", identifiers: { id: "p" }, action: "event" }
    expectTrackSuccess(await entity(inlet, { ...person, name: v2, attributes: data(100_000) }, headers))
    for (const name of [v1, v2]) expect((await roomy.event(name)).data).toEqual(data(100_000))
    const over = await track(inlet, "POST", path, { name: "e", data: data(100_001) }, headers)
    expect(over.status).toBe(400)
    expectSingleFault(over, "event data cannot be longer than 100000 bytes")
    const bad = await batch(inlet, [{ ...person, name: "e", attributes: data(100_001) }], headers)
    expect(bad.status).toBe(400)
    expectEntityFaults(bad, { batch_index: 0, field: "attributes" })
  })
})
