import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectV1Fault } from "../../src/expectAnswer.ts"
import { fresh, textOfBytes } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const segment = await tenant.createSegment()

const values: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  -1,
  0.5,
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  textOfBytes(1001),
  textOfBytes(20_000),
  [],
  [null],
  ["x"],
  [[[]]],
  {},
  { __proto__x: 1, constructor: {}, id: {} },
  JSON.parse('{"__proto__":{"polluted":1},"identifiers":{"__proto__":1}}'),
  Array.from({ length: 1001 }, () => ({})),
]

type Body = Readonly<Record<string, unknown>>

/** v1 operations with a valid body. The tests replace one of the listed fields at a time by a wrong value. */
const v1: ReadonlyArray<readonly [method: string, path: string, body: Body, fields: ReadonlyArray<string>]> =
  [
    [
      "PUT",
      "/api/v1/customers/p",
      { a: 1 },
      ["a", "id", "email", "cio_id", "anonymous_id", "created_at", "_timestamp", "_update", "unsubscribed"],
    ],
    [
      "PUT",
      "/api/v1/customers/p",
      {
        cio_relationships: {
          action: "add_relationships",
          relationships: [{ identifiers: { object_id: "o" } }],
        },
      },
      [
        "cio_relationships",
        "cio_relationships.action",
        "cio_relationships.relationships",
        "cio_relationships.relationships.0",
        "cio_relationships.relationships.0.identifiers",
        "cio_relationships.relationships.0.identifiers.object_id",
        "cio_relationships.relationships.0.identifiers.object_type_id",
        "cio_relationships.relationships.0.relationship_attributes",
        "svc_subscription_preferences",
        "svc_subscription_preferences.topics",
      ],
    ],
    [
      "PUT",
      "/api/v1/customers/p/devices",
      { device: { id: "t", platform: "ios" } },
      [
        "device",
        "device.id",
        "device.platform",
        "device.last_used",
        "device.attributes",
        "device.attributes.a",
      ],
    ],
    [
      "POST",
      "/api/v1/customers/p/events",
      { name: "e" },
      ["name", "id", "type", "timestamp", "_timestamp", "data", "data.recipient", "anonymous_id"],
    ],
    [
      "POST",
      "/api/v1/events",
      { name: "e", anonymous_id: "v" },
      ["name", "id", "type", "data", "anonymous_id"],
    ],
    [
      "POST",
      "/api/v1/merge_customers",
      { primary: { id: "nobody-1" }, secondary: { id: "nobody-2" } },
      ["primary", "secondary", "primary.id", "secondary.id", "secondary.email", "primary.cio_id"],
    ],
    [
      "POST",
      "/api/v1/metrics",
      { delivery_id: "d", metric: "opened" },
      ["delivery_id", "metric", "timestamp", "recipient", "reason", "href", "metadata"],
    ],
    [
      "POST",
      "/api/v1/push/events",
      { delivery_id: "d", event: "opened" },
      ["delivery_id", "event", "device_id", "timestamp"],
    ],
    ["POST", "/push/events", { delivery_id: "d", event: "opened" }, ["delivery_id", "event", "device_id"]],
    [
      "POST",
      "/api/v1/forms/f/submit",
      { data: { id: "p" } },
      ["data", "data.id", "data.email", "data.other"],
    ],
    ["POST", `/api/v1/segments/${segment}/add_customers`, { ids: ["p"] }, ["ids", "ids.0"]],
    ["POST", `/api/v1/segments/${segment}/remove_customers?id_type=email`, { ids: ["p"] }, ["ids", "ids.0"]],
    ["POST", "/unsubscribe/d", { unsubscribe: true }, ["unsubscribe", "delivery_id"]],
    ["POST", "/unsubscribe", { delivery_id: "d" }, ["delivery_id", "unsubscribe"]],
  ]

const person = { type: "person", identifiers: { id: "p" } }
const object = { type: "object", identifiers: { object_type_id: "1", object_id: "o" } }
const device = { token: "t", platform: "ios" }
const personFields = [
  "type",
  "action",
  "identifiers",
  "identifiers.id",
  "identifiers.email",
  "identifiers.svc_id",
]
const relationshipFields = (name: string) => [
  "svc_relationships",
  "svc_relationships.0",
  "svc_relationships.0.identifiers",
  `svc_relationships.0.identifiers.${name}`,
  "svc_relationships.0.relationship_attributes",
  "svc_relationships.0.relationship_attributes.a",
]
const objectFields = [
  "identifiers",
  "identifiers.object_id",
  "identifiers.object_type_id",
  "identifiers.svc_object_id",
]
const aboutPeople = [{ identifiers: { id: "p" } }]

const v2: ReadonlyArray<readonly [item: Body, fields: ReadonlyArray<string>]> = [
  [
    { ...person, action: "identify", attributes: { a: 1 } },
    [...personFields, "attributes", "attributes.a", "attributes.email", "_timestamp", "timestamp", "_update"],
  ],
  [{ ...person, action: "delete" }, ["identifiers", "identifiers.id"]],
  [
    { ...person, identifiers: { id: "gone" }, action: "suppress" },
    ["identifiers.email", "identifiers.phone"],
  ],
  [{ ...person, action: "unsuppress" }, ["identifiers", "identifiers.id"]],
  [
    { ...person, action: "event", name: "e" },
    ["name", "id", "timestamp", "attributes", "data", "anonymous_id"],
  ],
  [{ ...person, action: "page", name: "e" }, ["name", "attributes", "attributes.url"]],
  [{ ...person, action: "screen", name: "e" }, ["name", "attributes", "attributes.title"]],
  [{ ...person, action: "viewed_content" }, ["name", "attributes", "identifiers.anonymous_id"]],
  [
    { ...person, action: "add_device", device },
    ["device", "device.token", "device.platform", "device.last_used", "device.attributes"],
  ],
  [{ ...person, action: "delete_device", device }, ["device", "device.token"]],
  [
    { ...person, action: "add_relationships", svc_relationships: [{ identifiers: { object_id: "o" } }] },
    relationshipFields("object_id"),
  ],
  [
    { ...person, action: "delete_relationships", svc_relationships: [{ identifiers: { object_id: "o" } }] },
    relationshipFields("object_id"),
  ],
  [
    { type: "person", action: "merge", primary: { id: "nobody-1" }, secondary: { id: "nobody-2" } },
    ["primary", "primary.id", "secondary", "secondary.svc_id", "identifiers"],
  ],
  [
    { ...object, action: "identify", attributes: { a: 1 }, svc_relationships: aboutPeople },
    [...objectFields, "attributes", "attributes.a", "attributes._timestamp", ...relationshipFields("id")],
  ],
  [
    {
      ...object,
      action: "identify_anonymous",
      svc_relationships: [{ identifiers: { anonymous_id: "v" } }],
    },
    relationshipFields("anonymous_id"),
  ],
  [{ ...object, action: "add_relationships", svc_relationships: aboutPeople }, relationshipFields("id")],
  [{ ...object, action: "delete_relationships", svc_relationships: aboutPeople }, relationshipFields("id")],
  [{ ...object, action: "delete" }, objectFields],
  [
    { type: "delivery", action: "event", identifiers: { id: "d" }, name: "opened" },
    ["identifiers", "identifiers.id", "name", "attributes", "attributes.device_token", "timestamp"],
  ],
]

/** Returns a copy of `body` with `value` at a path. If `value` is undefined, the key is removed. */
const withValue = (body: unknown, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const changed = (inner: unknown) => (rest.length === 0 ? value : withValue(inner, rest, value))
  if (Array.isArray(body)) return body.map((item: unknown, n) => (String(n) === key ? changed(item) : item))
  const entriesOf = Object.entries(Object(body))
  const others = entriesOf.filter(([name]) => name !== key)
  return Object.fromEntries([...others, [key, changed(entriesOf.find(([name]) => name === key)?.[1])]])
}

/** Sends one request for each field and each wrong value of the field. The requests for one field are sent concurrently. */
const tryAll = async (
  body: Body,
  fields: ReadonlyArray<string>,
  send: (body: unknown) => Promise<Answer>,
  check: (answer: Answer, what: string) => void,
): Promise<void> => {
  for (const field of fields) {
    await Promise.all(
      values.map(async (value) => {
        const answer = await send(withValue(body, field.split("."), value))
        check(
          answer,
          `${field}: ${JSON.stringify(value)?.slice(0, 60)} is answered ${answer.status} ${answer.text}`,
        )
      }),
    )
  }
}

const good = [200, 204]

const identified = (id: string) => ({ type: "person", identifiers: { id }, action: "identify" })

describe("a wrong value in one field", () => {
  it.each(v1)(
    "the request %s %s with a wrong value in one field gets a success or a 400 in the v1 error format",
    async (method, path, body, fields) => {
      await tryAll(
        body,
        fields,
        (sent) => tenant.track(method, path, JSON.stringify(sent)),
        (answer, what) => {
          expect([...good, 400], what).toContain(answer.status)
          if (answer.status === 400) expectV1Faults(answer)
        },
      )
    },
  )

  it.each(v2)(
    "the v2 item %j with a wrong value in one field gets a success or a 400 with reason and field",
    async (item, fields) => {
      await tryAll(
        item,
        fields,
        (sent) => tenant.entity(JSON.stringify(sent)),
        (answer, what) => {
          expect([200, 400], what).toContain(answer.status)
          if (answer.status === 400) expectV2Faults(answer)
        },
      )
    },
  )

  it("a wrong value in one item of a v2 batch does not stop the other items", async () => {
    for (const [item, fields] of v2) {
      const [before, after] = [fresh("p"), fresh("p")]
      const bad = fields
        .slice(0, 3)
        .flatMap((field) => values.slice(0, 12).map((value) => withValue(item, field.split("."), value)))
      const answer = await tenant.batch([identified(before), ...bad, identified(after)])
      expect([200, 207], answer.text.slice(0, 300)).toContain(answer.status)
      expect((await tenant.person({ id: before })).id).toBe(before)
      expect((await tenant.person({ id: after })).id).toBe(after)
    }
  })
})

const expectV1Faults = (answer: Answer): void => {
  const { meta } = Object(answer.json)
  const several = Array.isArray(meta?.errors) && meta.errors.length > 0
  expect(several || typeof meta?.error === "string", answer.text).toBe(true)
  const messages: ReadonlyArray<unknown> = several ? meta.errors : [meta.error]
  for (const message of messages) expect(message).toMatch(/\S/)
}

const expectV2Faults = (answer: Answer): void => {
  const { errors } = Object(answer.json)
  expect(Array.isArray(errors) && errors.length > 0, answer.text).toBe(true)
  expectEntityFaults(answer, ...Array.from({ length: errors.length }, () => ({})))
}

describe("bodies that are not JSON objects", () => {
  const bodies = ["null", "5", '"x"', "true", "[]", "[{}]", "", "{", "\u0000", '{"a":1}}', '{"a":NaN}']

  it.each(v1)("the request %s %s with a body that is not a JSON object gets a 400", async (method, path) => {
    const mayBeEmpty = path.startsWith("/unsubscribe/")
    const isIdentify = path === "/api/v1/customers/p"
    for (const body of bodies) {
      const answer = await tenant.track(method, path, body)
      const isAccepted = (mayBeEmpty && body === "") || (isIdentify && ["null", "[]"].includes(body))
      expect(answer.status, `${path} ${body}`).toBe(isAccepted ? 200 : 400)
      if (answer.status === 400) expectV1Fault(answer)
    }
  })

  it("the v2 endpoints answer 400 to a body that is not a JSON object", async () => {
    for (const path of ["/v2/entity", "/v2/batch", "/api/v2/entity", "/api/v2/batch"]) {
      for (const body of bodies) {
        const answer = await tenant.track("POST", path, body)
        expect(answer.status, `${path} ${body}`).toBe(400)
        expectV2Faults(answer)
      }
    }
  })
})

const json = (text: string): unknown => JSON.parse(text)

describe("a name of a JavaScript object member", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]

  it.each(names)(
    "the name %s works as the id of an object, object type, device, form, form field and delivery",
    async (name) => {
      const id = fresh("p")
      const attributes = json(`{${JSON.stringify(name)}:{"polluted":"yes"}}`)
      const identifiers = { object_type_id: name, object_id: name }
      const related = [{ identifiers, relationship_attributes: attributes }]
      const own = { type: "person", identifiers: { id } }
      expectTrackSuccess(
        await tenant.batch([
          { type: "object", identifiers, action: "identify", attributes },
          { ...own, action: "add_relationships", svc_relationships: related },
          { ...own, action: "add_device", device: { token: name, platform: name, attributes } },
          { type: "delivery", action: "event", identifiers: { id: name }, name: "opened" },
        ]),
      )
      const data = json(`{"id":${JSON.stringify(id)},${JSON.stringify(name)}:"yes"}`)
      expect(
        (await tenant.track("POST", `/api/v1/forms/${name}/submit`, JSON.stringify({ data }))).status,
      ).toBe(204)
      const shown = await Promise.all(
        [
          `/objects/${name}/${name}`,
          `/objects/${name}/${name}/people`,
          `/people?id=${id}`,
          `/deliveries/${name}`,
          `/forms/${name}`,
        ].map((path) => tenant.call("GET", tenant.pathOf(path))),
      )
      expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const [shownObject, , shownPerson, , shownForm] = shown.map(({ text }) => text.replaceAll(/\s/g, ""))
      expect(shownObject).toContain(`"${name}":{"polluted":"yes"}`)
      expect(shownPerson).toContain(`"token":"${name}"`)
      expect(shownPerson?.split(`"${name}":{"polluted":"yes"}`)).toHaveLength(3)
      expect(shownPerson).toContain(`"${name}":"yes"`)
      expect(shownForm).toContain(`"${name}":"${name}"`)
      expect(
        (await tenant.track("POST", `/api/v1/segments/${name}/add_customers`, { ids: [id] })).status,
      ).toBe(404)
      expect(await tenant.isSuppressed({ id: name })).toBe(false)
      expectTrackSuccess(await tenant.track("POST", `/api/v1/customers/${name}/suppress`))
      expect(await tenant.isSuppressed({ id: name })).toBe(true)
    },
  )
})

describe("the server after all invalid requests", () => {
  it("after the malformed requests, all data can be read and new requests are accepted", async () => {
    const paths = ["people", "activity", "objects", "segments", "forms", "deliveries"]
    for (const path of paths) {
      expect((await tenant.call("GET", tenant.pathOf(`/${path}`, { limit: "1000" }))).status, path).toBe(200)
    }
    const id = fresh("p")
    expectTrackSuccess(await tenant.identify(id, { plan: "pro" }))
    expect((await tenant.person({ id })).attributes).toEqual({ plan: "pro" })
  })
})
