import { decodeEntity } from "../src/track-v2/entity.ts"
import { byAnonymousId, byId, idOnly, receipt, receivedAt } from "./requests.ts"
import { table } from "./tables.ts"

const person = (action: string, rest: object) => ({ type: "person", action, ...rest })
const event = (rest: object, identifiers: unknown = { id: "5" }) =>
  person("event", { identifiers, name: "a", ...rest })

table("Track v2 events", (over, item) => decodeEntity(receipt("track-v2", over), item), [
  [
    "decodes every field of an event",
    event({ attributes: { total: 42 }, id: "ajs-next-1", timestamp: 1_578_564_113 }),
    {
      _tag: "RecordEvent",
      kind: "event",
      name: "a",
      data: { total: 42 },
      deduplicationKey: "ajs-next-1",
      at: 1_578_564_113_000,
    },
  ],
  ["reads data if attributes are missing", event({ data: { amount: 99 } }), { data: { amount: 99 } }],
  [
    "reads data if attributes are null",
    event({ attributes: null, data: { amount: 99 } }),
    { data: { amount: 99 } },
  ],
  ["prefers attributes over data", event({ attributes: {}, data: { amount: 99 } }), { data: {} }],
  [
    "refuses attributes that are not an object",
    event({ attributes: "x" }),
    ["invalid attributes: event data must be a hash"],
  ],
  ["refuses data that are not an object", event({ data: 1 }), ["invalid data: event data must be a hash"]],
  [
    "records an event of an anonymous visitor",
    event({}, { anonymous_id: "an" }),
    { kind: "anonymous_event", target: byAnonymousId("an"), anonymousId: "an" },
  ],
  [
    "identifies the visitor by an anonymous_id at the top level",
    person("event", { name: "a", anonymous_id: 5 }),
    { kind: "anonymous_event", target: byAnonymousId("5") },
  ],
  [
    "records the anonymous id of a person's event",
    event({}, { id: "5", anonymous_id: "an" }),
    { kind: "event", target: byId("5"), anonymousId: "an" },
  ],
  [
    "ignores an email if the workspace identifies people by id only",
    event({}, { id: "5", email: "a@b.io" }),
    { target: byId("5") },
    idOnly,
  ],
  [
    "records a page view",
    person("page", { identifiers: { id: "5" }, name: "https://example.com/" }),
    { kind: "page", name: "https://example.com/" },
  ],
  [
    "uses the url as the name of a page view without a name",
    person("page", { identifiers: { id: "5" }, attributes: { url: "u" } }),
    { kind: "page", name: "u" },
  ],
  [
    "records a screen view of an anonymous visitor",
    person("screen", { identifiers: { anonymous_id: "an" }, name: "Home" }),
    { kind: "screen", target: byAnonymousId("an") },
  ],
  [
    "a viewed_content event that was sent with a name keeps this name",
    person("viewed_content", {
      identifiers: { anonymous_id: "an" },
      name: "viewed_content",
      attributes: { contentId: 1 },
    }),
    { kind: "anonymous_event", name: "viewed_content", data: { contentId: 1 } },
  ],
  [
    "uses clicked_content as the name of an event without a name",
    person("clicked_content", { identifiers: { id: "5" } }),
    { kind: "event", name: "clicked_content" },
  ],
  [
    "keeps an event whose timestamp is no time, at the time of receipt",
    event({ timestamp: "2018-03-04T12:08:56.235 PDT" }),
    {
      at: receivedAt,
      followsReceipt: true,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  ["refuses an event without a name", event({ name: null }), ["required name: event name must not be blank"]],
  [
    "refuses an event without identifiers",
    person("event", { name: "a" }),
    ["required identifiers: identifiers must be present"],
  ],
])
