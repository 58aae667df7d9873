import { afterAll, describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectFaultList,
  expectSingleFault,
} from "../../src/expectAnswer.ts"
import { fresh, textOfBytes } from "../../src/fresh.ts"
import { batch, entity, event, identify, track, type Payload } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const someone = { type: "person", identifiers: { id: "p" } }
const numberedAttributes = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]))

type Fault = { readonly reason?: string; readonly field?: unknown }

const badItems: ReadonlyArray<readonly [string, object, Fault]> = [
  ["no type", { identifiers: { id: "p" }, action: "identify" }, { reason: "required", field: "type" }],
  [
    "an unknown type",
    { ...someone, type: "pet", action: "identify" },
    { reason: "unknown_type", field: "type" },
  ],
  ["no action", someone, { reason: "required", field: "action" }],
  ["an unknown action", { ...someone, action: "hug" }, { reason: "unknown_action", field: "action" }],
  ["no identifiers", { type: "person", action: "identify" }, { reason: "required", field: "identifiers" }],
  ["an event without a name", { ...someone, action: "event" }, { reason: "required", field: "name" }],
  ["a name that is not a string", { ...someone, action: "event", name: { a: 1 } }, { field: "name" }],
  [
    "a long event name",
    { ...someone, action: "event", name: textOfBytes(101) },
    { reason: "too_long", field: "name" },
  ],
  [
    "a long attribute value",
    { ...someone, action: "identify", attributes: { plan: textOfBytes(1001) } },
    { reason: "too_long", field: "attributes.plan" },
  ],
  [
    "many attributes",
    { ...someone, action: "identify", attributes: numberedAttributes(301) },
    { reason: "too_many", field: "attributes" },
  ],
  [
    "attributes that are not an object",
    { ...someone, action: "identify", attributes: [1] },
    { field: "attributes" },
  ],
  [
    "identifiers that are not an object",
    { ...someone, identifiers: "p", action: "identify" },
    { field: "identifiers" },
  ],
  [
    "a long person id",
    { type: "person", identifiers: { id: textOfBytes(151) }, action: "identify" },
    { reason: "too_long", field: "identifiers.id" },
  ],
  [
    "a large item",
    { ...someone, action: "event", name: "e", attributes: { filler: textOfBytes(33_000) } },
    { reason: "too_large" },
  ],
]

describe("an invalid v2 item", () => {
  it.each(badItems)(
    "contract §4 v2 faults: an entity with %s gets an error with reason, field and message",
    async (name, item, fault) => {
      const answer = await entity(inlet, item)
      expect(answer.status).toBe(name === "a large item" ? 413 : 400)
      expectEntityFaults(answer, fault)
    },
  )

  it.each(badItems)(
    "contract §2 batch 207: a batch item with %s is reported by index, and the other items are applied",
    async (_name, item, fault) => {
      const id = fresh("p")
      const good = { type: "person", identifiers: { id }, action: "identify", attributes: { plan: "pro" } }
      const answer = await batch(inlet, [item, good, item])
      expect(answer.status).toBe(207)
      expectEntityFaults(answer, { batch_index: 0, ...fault }, { batch_index: 2, ...fault })
      expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
    },
  )
})

describe("a batch", () => {
  it.each([null, 5, "text", [], true])(
    "the batch item %j is reported as invalid, and the other items are applied",
    async (item) => {
      const id = fresh("p")
      const answer = await batch(inlet, [{ type: "person", identifiers: { id }, action: "identify" }, item])
      expect(answer.status).toBe(207)
      expectEntityFaults(answer, { batch_index: 1 })
      expect((await management.person({ id })).id).toBe(id)
    },
  )

  it("contract §2 batch 400: a batch in which every item is invalid gets a 400", async () => {
    const answer = await batch(inlet, [someone, { ...someone, action: "hug" }])
    expect(answer.status).toBe(400)
    expectEntityFaults(
      answer,
      { batch_index: 0, reason: "required", field: "action" },
      { batch_index: 1, reason: "unknown_action" },
    )
  })

  it("contract §2 empty batch: a batch without items is a success", async () => {
    expectTrackSuccess(await batch(inlet, []))
  })

  it.each<readonly [Payload]>([
    [{}],
    [{ batch: null }],
    [{ batch: {} }],
    [{ batch: "x" }],
    ["{"],
    ["[]"],
    ["5"],
    [""],
  ])("a batch request with the body %j gets a 400", async (payload) => {
    const answer = await track(inlet, "POST", "/api/v2/batch", payload)
    expect(answer.status).toBe(400)
    expectEntityFaults(answer, {})
  })

  it("the items of a v2 batch are applied in order", async () => {
    const id = fresh("p")
    const person = { type: "person", identifiers: { id } }
    const answer = await batch(inlet, [
      { ...person, action: "identify", attributes: { plan: "one", city: "Bonn" } },
      { ...person, action: "identify", attributes: { plan: "two" } },
      { ...person, action: "delete" },
      { ...person, action: "identify", attributes: { plan: "three" } },
    ])
    expectTrackSuccess(answer)
    expect((await management.person({ id })).attributes).toEqual({ plan: "three" })
  })
})

describe("unreadable bodies", () => {
  it.each(["{", "", "nul", '{"a":}', "{'a':1}", '{"a":1}x', "\u0000", '"'])(
    "contract §4 unreadable JSON: answers 400 to the body %j, on v2 with the reason malformed",
    async (text) => {
      const v2 = await entity(inlet, text)
      expect(v2.status).toBe(400)
      expectEntityFaults(v2, { reason: "malformed" })
      const v1 = await event(inlet, fresh("p"), text)
      expect(v1.status).toBe(400)
      expectSingleFault(v1)
    },
  )

  it("a body that is not UTF-8 causes no server error", async () => {
    const id = fresh("p")
    const body = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])
    const answer = await track(inlet, "PUT", `/api/v1/customers/${id}`, body)
    expect(answer.status).toBeLessThan(500)
  })

  it.each(["[]", "5", '"text"', "null", "true"])(
    "contract §4 not an object: answers 400 to the JSON body %s",
    async (text) => {
      const v2 = await entity(inlet, text)
      expect(v2.status).toBe(400)
      expectEntityFaults(v2, {})
      const v1 = await identify(inlet, fresh("p"), Buffer.from(text))
      // contract §2 *null body*, §4 *empty arrays*
      const isEmpty = text === "null" || text === "[]"
      expect(v1.status).toBe(isEmpty ? 200 : 400)
      if (!isEmpty) expectFaultList(v1)
      const second = await event(inlet, fresh("p"), text)
      expect(second.status).toBe(400)
      expectSingleFault(second)
    },
  )
})

describe("documented v1 messages", () => {
  it.each([
    ["a long attribute name", { [textOfBytes(151)]: 1 }, "attribute name cannot be longer than 150 bytes"],
    [
      "a long attribute value",
      { plan: textOfBytes(1001) },
      "value for attribute 'plan' cannot be longer than 1000 bytes",
    ],
    ["many attributes", numberedAttributes(301), "cannot identify more than 300 attributes in one request"],
  ])(
    "contract §4 v1 messages: an identify with %s gets the documented message",
    async (_name, attributes, message) => {
      const id = fresh("p")
      const answer = await identify(inlet, id, attributes)
      expect(answer.status).toBe(400)
      expectFaultList(answer, message)
      expect(await management.people({ id })).toEqual([])
    },
  )

  it.each([
    ["no name", {}, "event name must not be blank"],
    ["a blank name", { name: "  " }, "event name must not be blank"],
    ["a long name", { name: textOfBytes(101) }, "event name cannot be longer than 100 bytes"],
    ["data that is a list", { name: "e", data: [1] }, "event data must be a hash"],
    ["data that is text", { name: "e", data: "text" }, "event data must be a hash"],
  ])("an event with %s gets the documented message", async (_name, payload, message) => {
    for (const answer of [
      await event(inlet, fresh("p"), payload),
      await track(inlet, "POST", "/api/v1/events", { anonymous_id: fresh("v"), ...payload }),
    ]) {
      expect(answer.status).toBe(400)
      expectSingleFault(answer, message)
    }
  })
})
