import type { Call } from "@inlethq/log/call/Call"
import type { numbers } from "../../../tools/testing/randomNumbers.ts"

/** A call as a client sends it. */
export type SentCall = Pick<Call, "method" | "path" | "body">

/** The APIs whose calls a script mixes. */
export type Api = "track-v1" | "track-v2" | "pipelines"

type Random = ReturnType<typeof numbers>

type Fields = Readonly<Record<string, Call["body"]>>

const one = <A>(random: Random, of: readonly [A, ...ReadonlyArray<A>]): A => of[random(of.length)] ?? of[0]

const some = (random: Random, n: number, fields: () => Fields): Fields => (random(n) === 0 ? fields() : {})

const idOf = (n: number): string => one(() => n, ["ada", "bob o'neill/é", "c%25"])
const emailOf = (n: number): string => `${one(() => n, ["Ada", "bob", "eve"])}@example.com`
const anonymousOf = (n: number): string => `visitor ${n}`

const post = (path: string, body: Fields): SentCall => ({ method: "POST", path, body })

const values: readonly [Call["body"], ...ReadonlyArray<Call["body"]>] = [
  "pro",
  "",
  null,
  7,
  1.5,
  true,
  ["a", 1],
  { deep: { er: [null] } },
]

const names: readonly [string, ...ReadonlyArray<string>] = [
  "plan",
  "city",
  "__proto__",
  "dotted.name",
  "type",
]

const attributesOf = (random: Random): Fields =>
  Object.fromEntries([
    [one(random, names), one(random, values)],
    ...(random(3) === 0 ? [[one(random, names), one(random, values)] as const] : []),
  ])

/** Seconds, milliseconds, a text and what is no time. A script begins in January 2027. */
const timeOf = (random: Random): Call["body"] =>
  one(random, [1_800_014_000, 1_800_050_000_123, "2027-01-16T12:00:00.5Z", 1_900_000_000, "soon"])

const relatedOf = (random: Random): Fields => ({
  identifiers: { object_type_id: one(random, ["1", "2"]), object_id: `object ${random(2)}` },
  ...some(random, 2, () => ({ relationship_attributes: attributesOf(random) })),
})

/** What an identify can say of a person beside their attributes, by the names that all APIs share. */
const personOf = (random: Random): Fields => ({
  ...attributesOf(random),
  ...some(random, 4, () => ({ email: emailOf(random(3)) })),
  ...some(random, 5, () => ({ id: idOf(random(3)) })),
  ...some(random, 6, () => ({ anonymous_id: anonymousOf(random(2)) })),
  ...some(random, 6, () => ({
    created_at: one<Call["body"]>(random, [1_600_000_000, "2020-01-01T00:00:00Z", "never"]),
  })),
  ...some(random, 6, () => ({ unsubscribed: one<Call["body"]>(random, [true, "yes", "true", 0]) })),
  ...some(random, 8, () => ({ _update: true })),
  ...some(random, 8, () => ({
    svc_subscription_preferences: {
      topics: { topic_1: one<Call["body"]>(random, [true, "false", "maybe"]) },
    },
  })),
})

const keyOf = (random: Random, name: string): Fields =>
  some(random, 2, () => ({ [name]: `key ${random(30)}` }))

const trackV1 = (random: Random): SentCall => {
  const named = random(3) === 0 ? emailOf(random(3)) : idOf(random(3))
  const customer = `/api/v1/customers/${encodeURIComponent(named)}`
  const event = {
    name: `event ${random(3)}`,
    ...some(random, 2, () => ({ data: attributesOf(random) })),
    ...some(random, 3, () => ({ timestamp: timeOf(random) })),
    ...keyOf(random, "id"),
    ...some(random, 6, () => ({ type: one(random, ["page", "screen"]) })),
    ...some(random, 8, () => ({ flat: "field" })),
  }
  switch (random(12)) {
    case 0:
    case 1:
    case 2:
      return {
        method: "PUT",
        path: customer,
        body: {
          ...personOf(random),
          ...some(random, 3, () => ({ _timestamp: timeOf(random) })),
          ...some(random, 5, () => ({
            svc_relationships: {
              action: one(random, ["add_relationships", "delete_relationships"]),
              relationships: [relatedOf(random)],
            },
          })),
        },
      }
    case 3:
      return {
        method: "PUT",
        path: `${customer}/devices`,
        body: {
          device: {
            id: `token/${random(2)}`,
            platform: "ios",
            ...some(random, 2, () => ({ last_used: timeOf(random) })),
            ...some(random, 2, () => ({ attributes: attributesOf(random) })),
          },
        },
      }
    case 4:
      return { method: "DELETE", path: `${customer}/devices/token%2F${random(2)}`, body: null }
    case 5:
      return post("/api/v1/events", {
        ...event,
        ...some(random, 2, () => ({ anonymous_id: anonymousOf(random(2)) })),
      })
    case 6:
      return post("/api/v1/merge_customers", {
        primary: { id: idOf(random(3)) },
        secondary: random(2) === 0 ? { email: emailOf(random(3)) } : { id: idOf(random(3)) },
      })
    case 7:
      return post("/api/v1/metrics", {
        delivery_id: `delivery ${random(2)}`,
        metric: one(random, ["opened", "clicked", "bounced"]),
        ...some(random, 2, () => ({ timestamp: timeOf(random) })),
        ...some(random, 3, () => ({ recipient: emailOf(random(3)), reason: "full" })),
        ...some(random, 3, () => ({ metadata: { action_name: "buy", action_value: "now" } })),
      })
    case 8:
      return post(`/api/v1/forms/form%20${random(2)}/submit`, {
        data: { email: emailOf(random(3)), plan: "x", ...some(random, 3, () => ({ form_name: "f" })) },
      })
    case 9:
      return post(`/api/v1/segments/1/${one(random, ["add", "remove"])}_customers?id_type=id`, {
        ids: [idOf(random(3)), idOf(random(3))],
      })
    default:
      return post(`${customer}/events`, {
        ...event,
        ...some(random, 4, () => ({ anonymous_id: anonymousOf(random(2)) })),
      })
  }
}

const trackV2 = (random: Random): SentCall => {
  const who = random(3)
  const identifiers: Fields =
    random(4) === 0
      ? { anonymous_id: anonymousOf(random(2)) }
      : random(3) === 0
        ? { email: emailOf(who) }
        : { id: idOf(who), ...some(random, 4, () => ({ email: emailOf(who) })) }
  const person = { type: "person", identifiers }
  const time = some(random, 3, () => ({ timestamp: timeOf(random) }))
  const object = {
    type: "object",
    identifiers: { object_type_id: one(random, ["1", "2"]), object_id: `object ${random(2)}` },
  }
  const people = [{ identifiers: { id: idOf(random(3)) }, relationship_attributes: attributesOf(random) }]
  const visitors = [{ identifiers: { anonymous_id: anonymousOf(random(2)) } }]
  const token = `token ${random(2)}`
  const entity = (): Fields => {
    switch (random(16)) {
      case 0:
      case 1:
      case 2:
        return {
          ...person,
          action: "identify",
          attributes: personOf(random),
          ...time,
          ...some(random, 5, () => ({ svc_relationships: [relatedOf(random)] })),
        }
      case 3:
        return {
          ...person,
          action: "add_device",
          device: {
            token,
            platform: "android",
            ...attributesOf(random),
            ...some(random, 2, () => ({ last_used: timeOf(random) })),
          },
          ...time,
        }
      case 4:
        return { ...person, action: "delete_device", device: { token } }
      case 5:
        return { ...person, action: "add_relationships", svc_relationships: [relatedOf(random)], ...time }
      case 6:
        return { ...person, action: "delete_relationships", svc_relationships: [relatedOf(random)] }
      case 7:
        return {
          type: "person",
          action: "merge",
          primary: { id: idOf(0) },
          secondary: { id: idOf(1 + random(2)) },
        }
      case 8:
        return {
          ...object,
          action: "identify",
          attributes: attributesOf(random),
          ...some(random, 2, () => ({ svc_relationships: people })),
          ...time,
        }
      case 9:
        return {
          ...object,
          action: "identify_anonymous",
          attributes: attributesOf(random),
          svc_relationships: visitors,
        }
      case 10:
        return {
          ...object,
          action: one(random, ["add_relationships", "delete_relationships"]),
          svc_relationships: people,
        }
      case 11:
        return random(3) === 0
          ? { ...object, action: "delete" }
          : { ...person, action: "unknown", attributes: {} }
      case 12:
        return {
          type: "delivery",
          action: "event",
          identifiers: { id: `delivery ${random(2)}` },
          name: "clicked",
          attributes: { href: "https://example.com/'" },
          ...time,
        }
      default:
        return {
          ...person,
          action: one(random, ["event", "page", "screen"]),
          name: `event ${random(3)}`,
          attributes: attributesOf(random),
          ...keyOf(random, "id"),
          ...time,
          ...some(random, 6, () => ({ data: { other: 1 } })),
        }
    }
  }
  return random(3) === 0 ? post("/api/v2/batch", { batch: [entity()] }) : post("/v2/entity", entity())
}

const pipelines = (random: Random): SentCall => {
  const caller: Fields =
    random(4) === 0
      ? { anonymousId: anonymousOf(random(2)) }
      : {
          userId: random(3) === 0 ? emailOf(random(3)) : idOf(random(3)),
          ...some(random, 4, () => ({ anonymousId: anonymousOf(random(2)) })),
        }
  const common = {
    ...caller,
    ...keyOf(random, "messageId"),
    ...some(random, 4, () => ({
      context: one<Call["body"]>(random, [{ ip: "10.1.2.3", page: { url: "/'" } }, "text"]),
    })),
    ...some(random, 6, () => ({ integrations: { All: false } })),
    ...some(random, 3, () => ({ timestamp: timeOf(random) })),
  }
  // A device stays with who has it: of one that has gone to somebody else, the log forgets what it was.
  const device = {
    token: JSON.stringify(caller),
    type: "ios",
    ...some(random, 2, () => ({ last_used: 1_768_000_000 })),
  }
  const object = { objectId: `object ${random(2)}`, objectTypeId: one(random, ["1", "2"]) }
  const track = (event: string, properties: Fields): readonly [string, Fields] => [
    "track",
    { ...common, event, properties },
  ]
  const call = (): readonly [string, Fields] => {
    switch (random(16)) {
      case 0:
      case 1:
      case 2:
        return [
          "identify",
          {
            ...common,
            traits: { ...personOf(random), ...some(random, 6, () => ({ _timestamp: timeOf(random) })) },
            ...some(random, 4, () => ({ context: { device, app: { version: "1.2" } } })),
          },
        ]
      case 3:
        return [
          "group",
          {
            ...common,
            groupId: "object 1",
            traits: { ...attributesOf(random), objectTypeId: "2", relationship_traits: attributesOf(random) },
          },
        ]
      case 4:
        return [
          "alias",
          {
            ...common,
            userId: idOf(random(3)),
            previousId: random(2) === 0 ? idOf(random(3)) : anonymousOf(random(2)),
          },
        ]
      case 5:
        return track("Device Created or Updated", { device: { ...device, attributes: attributesOf(random) } })
      case 6:
        return track("Device Deleted", { device: { token: device.token } })
      case 7:
        return track("Relationship Deleted", object)
      case 8:
        return random(4) === 0 ? track("Object Deleted", object) : track("", {})
      case 9:
        return track("Report Delivery Event", { deliveryId: "delivery 1", metric: "opened", actionName: "a" })
      case 10:
        return [
          "track",
          { ...common, event: "Application Opened", context: { device, app: { version: "1.2" } } },
        ]
      case 11:
        return [
          one(random, ["page", "screen"]),
          { ...common, name: "Home", properties: attributesOf(random) },
        ]
      default:
        return track(`event ${random(3)}`, attributesOf(random))
    }
  }
  const [type, body] = call()
  return random(3) === 0 ? post("/v1/batch", { batch: [{ ...body, type }] }) : post(`/v1/${type}`, body)
}

const makers: Readonly<Record<Api, (random: Random) => SentCall>> = {
  "track-v1": trackV1,
  "track-v2": trackV2,
  pipelines,
}

/** Returns a random call to one of the APIs, about few people, objects and devices. */
export const wireCall = (random: Random, apis: readonly [Api, ...ReadonlyArray<Api>]): SentCall =>
  makers[one(random, apis)](random)
