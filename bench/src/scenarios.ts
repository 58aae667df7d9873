import { appContext, browserContext } from "./clientContexts.ts"
import { writeAuthorization } from "./credentials.ts"
import { event, person, random, randomNumber, same } from "./Template.ts"

/** One kind of request. The path and the body contain slots for people and numbers (`Template.ts`). */
export interface Scenario {
  readonly path: string
  /** The unit of this scenario's rate. */
  readonly unit: "req" | "entities" | "events"
  /** The number of entities or events in one request, or 1 if `unit` is `req`. */
  readonly units: number
  readonly body: (tag: string) => string
  /** The credentials of the request, if they differ from those of the Track API. */
  readonly authorization?: string
  /** Headers that a client library adds. */
  readonly headers?: ReadonlyArray<string>
}

/** The target size of a batch, slightly below the limit of 500 * 1024 bytes. */
const batchBytesMax = 500 * 1000

/** Returns an event id that begins with random digits. Like UUIDs, successive ids are in random order. */
const randomId = (tag: string): string => random(10) + tag + event

/** Returns an event id with the form of a UUID. Successive ids are in random order. The last six digits of the tag tell jobs apart. */
const uuid = (tag: string): string =>
  `${random(8)}-${random(4)}-4${tag.slice(-6, -3)}-8${tag.slice(-3)}-${event}`

/** Returns the body of a Track v1 event, about 480 bytes long. */
export const singleEventBody = (tag: string, id = tag + event): string =>
  JSON.stringify({
    name: "order_completed",
    id,
    timestamp: seconds(),
    data: {
      order_id: `ord-${random(8)}`,
      total: randomNumber(5),
      currency: "EUR",
      items: [
        { sku: `sku-${random(6)}`, quantity: 2, price: 1999 },
        { sku: `sku-${random(6)}`, quantity: 1, price: 4550 },
      ],
      shipping: { method: "express", country: "DE", city: "Heidelberg" },
      referrer: "https://www.example.com/campaigns/autumn?source=newsletter",
      first_order: false,
      note: "leave it with the neighbours on the second floor, please",
    },
  })

const identifyItem = (who: string, extra: object): object => ({
  type: "person",
  identifiers: { id: `p${who}` },
  action: "identify",
  attributes: {
    first_name: "Ada",
    last_name: `L${random(6)}`,
    plan: "premium",
    city: "Heidelberg",
    visits: randomNumber(5),
    score: randomNumber(4),
    newsletter: true,
    last_seen: randomNumber(10),
    ...extra,
  },
})

const eventItem = (tag: string, who: string, id = tag + event): object => ({
  type: "person",
  identifiers: { id: `p${who}` },
  action: "event",
  name: "page_viewed",
  id,
  timestamp: seconds(),
  attributes: { path: "/pricing", duration: randomNumber(4), device: "mobile", campaign: `c-${random(4)}` },
})

const identifyCall = (who: string): object => ({
  type: "identify",
  userId: `p${who}`,
  traits: {
    first_name: "Ada",
    last_name: `L${random(6)}`,
    plan: "premium",
    city: "Heidelberg",
    visits: randomNumber(5),
    score: randomNumber(4),
    newsletter: true,
    last_seen: randomNumber(10),
  },
  timestamp: new Date().toISOString(),
})

const trackCall = (tag: string, who: string): object => ({
  type: "track",
  userId: `p${who}`,
  event: "page_viewed",
  messageId: tag + event,
  properties: { path: "/pricing", duration: randomNumber(4), device: "mobile", campaign: `c-${random(4)}` },
  timestamp: new Date().toISOString(),
})

const company = () => ({ object_type_id: "1", object_id: `o${random(3)}` })

/** The id of the person with very many events. */
export const manyEventsPerson = "somebody-with-many-events"

/**
 * Returns an item of a mixed batch. Of every 20 items, 6 are identifies and 9 are events. The other 5 are objects,
 * relationships, devices and merges.
 */
const mixedItem = (tag: string, index: number): object => {
  const place = index % 20
  if (place < 6) return identifyItem(person, {})
  if (place < 15) return eventItem(tag, person)
  const identifiers = { id: `p${person}` }
  const relationship = { relationship_attributes: { role: `r${random(2)}` } }
  switch (place) {
    case 15:
      return {
        type: "object",
        action: "identify",
        identifiers: company(),
        attributes: { name: `Acme ${random(6)}`, seats: randomNumber(4) },
        svc_relationships: [{ identifiers, ...relationship }],
      }
    case 16:
      return {
        type: "person",
        action: "add_relationships",
        identifiers,
        svc_relationships: [{ identifiers: company(), ...relationship }],
      }
    case 17:
    case 18:
      return {
        type: "person",
        action: "add_device",
        identifiers,
        device: {
          token: `token-${same}`,
          platform: "ios",
          last_used: seconds(),
          attributes: { app_version: `1.${random(2)}` },
        },
      }
    default:
      return { type: "person", action: "merge", primary: identifiers, secondary: { id: `p${person}` } }
  }
}

const seconds = () => Math.floor(Date.now() / 1000)

const batchOf = (items: number, item: (index: number) => object): string =>
  JSON.stringify({ batch: Array.from({ length: items }, (_, index) => item(index)) })

type Item = (tag: string, index: number) => object

/** Builds a scenario that sends batches, each with as many items as fit. */
const batch = (item: Item, options: Partial<Pick<Scenario, "path" | "authorization">> = {}): Scenario => {
  const items = itemsThatFit(item)
  return {
    path: "/api/v2/batch",
    unit: "entities",
    units: items,
    body: (tag) => batchOf(items, (index) => item(tag, index)),
    ...options,
  }
}

/** Returns the number of items that fill a batch, rounded down to an even number. */
const itemsThatFit = (item: Item): number => {
  const sample = 20
  const tag = "t".repeat(14)
  const sampleBytes = expandedLength(batchOf(sample, (index) => item(tag, index)))
  const items = Math.floor((batchBytesMax / sampleBytes) * sample)
  return items - (items % 2)
}

const pipelines = { path: "/v1/batch", authorization: writeAuthorization }

const callOf = (call: object, context: object): object => ({ ...call, integrations: {}, context })

const contextBatch = (contextOf: () => object): Scenario => ({
  ...pipelines,
  path: "/v1/b",
  unit: "events",
  units: 100,
  body: (tag) => batchOf(100, () => callOf(trackCall(tag, person), contextOf())),
})

const expandedLength = (text: string): number =>
  text.replace(/"<number:(\d+)>"|<\w+:(\d+)>/g, (_, a?: string, b?: string) => "0".repeat(Number(a ?? b)))
    .length

export const scenarios = {
  /** One event of a known person on Track v1. */
  event: {
    path: `/api/v1/customers/p${person}/events`,
    unit: "req",
    units: 1,
    body: singleEventBody,
  },
  /** Events of known people on Track v1 with random event ids. */
  eventOfRandomId: {
    path: `/api/v1/customers/p${person}/events`,
    unit: "req",
    units: 1,
    body: (tag) => singleEventBody(tag, randomId(tag)),
  },
  /** Batches of identifies, which are used to fill stores. */
  people: batch(() => identifyItem(person, {})),
  /** Batches in which half of the items are identifies and half events. Each item refers to a random person. */
  batch: batch((tag, index) => (index % 2 === 0 ? identifyItem(person, {}) : eventItem(tag, person))),
  /** Like the scenario `batch`, but nobody gets another name. */
  batchOfSameNames: batch((tag, index) =>
    index % 2 === 0 ? identifyItem(person, { last_name: "Lovelace" }) : eventItem(tag, person),
  ),
  /** Like the scenario `batch`, but with random event ids. */
  batchOfRandomIds: batch((tag, index) =>
    index % 2 === 0 ? identifyItem(person, {}) : eventItem(tag, person, randomId(tag)),
  ),
  /**
   * Batches in which half of the items are identifies and half events. Each event belongs to the person identified
   * directly before it.
   */
  batchOfNewcomers: batch((tag, index) =>
    index % 2 === 0 ? identifyItem(person, {}) : eventItem(tag, same),
  ),
  /** Like the scenario `batchOfNewcomers`, but each person has an email address. */
  batchOfNewcomersWithEmail: batch((tag, index) =>
    index % 2 === 0 ? identifyItem(person, { email: `p${same}@example.com` }) : eventItem(tag, same),
  ),
  /** Events of a single person. */
  eventsOfOne: batch((tag) => ({ ...eventItem(tag, random(1)), identifiers: { id: manyEventsPerson } })),
  /** Batches of events. */
  events: batch((tag) => eventItem(tag, person)),
  /** Events with unique names, such as page views named by their URL. */
  eventsOfManyNames: batch((tag) => ({ ...eventItem(tag, person), name: `viewed_${random(10)}` })),
  /** Events with one of ten names. */
  eventsOfTenNames: batch((tag) => ({ ...eventItem(tag, person), name: `step_${random(1)}` })),
  /** Batches of identifies and events, mixed with objects, devices, relationships and merges. */
  mixed: batch(mixedItem),
  /** Pipelines batches in which half of the items are identify calls and half track calls. */
  pipelinesBatch: batch(
    (tag, index) => (index % 2 === 0 ? identifyCall(person) : trackCall(tag, person)),
    pipelines,
  ),
  /** Pipelines batches of 100 track calls. Each call refers to a random person. */
  pipelinesEvents: {
    ...pipelines,
    unit: "events",
    units: 100,
    body: (tag) => batchOf(100, () => trackCall(tag, person)),
  },
  /** One track call of a known person, without a context. */
  pipelinesEvent: {
    ...pipelines,
    path: "/v1/t",
    unit: "req",
    units: 1,
    body: (tag) => JSON.stringify(trackCall(tag, person)),
  },
  /** The same with the context that the browser library sends. */
  browserEvent: {
    ...pipelines,
    path: "/v1/t",
    unit: "req",
    units: 1,
    body: (tag) => JSON.stringify(callOf(trackCall(tag, person), browserContext())),
  },
  /** One event as a client library of the Track API sends it, with an id of its own. */
  trackOfClient: {
    path: `/api/v1/customers/p${person}/events`,
    unit: "req",
    units: 1,
    headers: ["User-Agent: Customer.io Ruby Client/6", "Accept: */*", "Connection: keep-alive"],
    body: (tag) => singleEventBody(tag, uuid(tag)),
  },
  /** The same event as a client library of a server sends it to the Pipelines API. */
  pipelinesOfClient: {
    ...pipelines,
    path: "/v1/track",
    unit: "req",
    units: 1,
    headers: [
      "User-Agent: cdp-analytics-node/latest",
      "Accept: application/json, text/plain, */*",
      "Connection: keep-alive",
    ],
    body: (tag) => {
      const { data, name } = JSON.parse(singleEventBody(tag))
      const library = { name: "@customerio/cdp-analytics-node", version: "0.3.10" }
      return JSON.stringify({
        type: "track",
        userId: `p${person}`,
        event: name,
        messageId: `node-next-1764500000000-${uuid(tag)}`,
        properties: data,
        context: { library },
        integrations: {},
        timestamp: new Date().toISOString(),
        sentAt: new Date().toISOString(),
        _metadata: { nodeVersion: "26.10.0", jsRuntime: "node" },
      })
    },
  },
  /** One track call as the browser library sends it, with an id of its own. */
  pipelinesOfBrowser: {
    ...pipelines,
    path: "/v1/t",
    unit: "req",
    units: 1,
    headers: [
      "User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
      "Accept: */*",
      "Accept-Encoding: gzip, deflate, br, zstd",
      "Accept-Language: en-US,en;q=0.9",
      "Origin: https://shop.example.com",
      "Referer: https://shop.example.com/",
      "Connection: keep-alive",
    ],
    body: (tag) =>
      JSON.stringify({
        ...callOf(trackCall(tag, person), browserContext()),
        messageId: `ajs-next-1764500000000-${uuid(tag)}`,
        sentAt: new Date().toISOString(),
      }),
  },
  /** Pipelines batches of 100 track calls, each with the context of a browser. */
  browserEvents: contextBatch(browserContext),
  /** Pipelines batches of 100 track calls, each with the context of an app. */
  appEvents: contextBatch(appContext),
} satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

/** Returns the HTTP request of a scenario as text, with placeholders for the slots. */
export const requestText = (scenario: Scenario, tag: string, authorization: string): string => {
  const body = scenario.body(tag)
  return [
    `POST ${scenario.path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: ${scenario.authorization ?? authorization}`,
    "Content-Type: application/json",
    ...(scenario.headers ?? []),
    `Content-Length: ${expandedLength(body)}`,
    "",
    body,
  ].join("\r\n")
}
