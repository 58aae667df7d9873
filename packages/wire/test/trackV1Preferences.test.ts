import { decodeIdentify } from "../src/track-v1/people.ts"
import { assignments, receipt } from "./requests.ts"
import { many, table } from "./tables.ts"

const preferences = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`svc_subscription_preferences.topics.t${i}`, true]),
  )

const path = "svc_subscription_preferences.topics"

const topics = (count: number) => ({ topics: many(count, "t") })

const tooMany = `too_many ${path}.t300: ${path}.t300 is left out: a person has at most 300 topics of subscription preferences`

const tooLarge = (topic: string) =>
  `too_large ${path}.${topic}: ${path}.${topic} is left out: the subscription preferences of a person have at most 16384 bytes in all`

const most = { ...many(300), ...preferences(300), unsubscribed: true, created_at: 1 }

table<object>(
  "Track v1 identify: dotted preferences have a limit of their own",
  (over, body) => decodeIdentify(receipt("track-v1", over), "5", body),
  [
    [
      "accepts 300 attributes and 300 dotted preferences",
      most,
      { assignments: assignments(...Object.entries(most)) },
    ],
    ["refuses 301 dotted preferences", preferences(301), [tooMany]],
    [
      "reports too many attributes and too many preferences separately",
      { ...many(301), ...preferences(301) },
      ["too_many : cannot identify more than 300 attributes in one request", tooMany],
    ],
    ["accepts an object of 300 topics", { svc_subscription_preferences: topics(300) }, {}],
    [
      "refuses an object of 301 topics and names the last topic",
      { cio_subscription_preferences: topics(301) },
      [tooMany],
    ],
    [
      "refuses a dotted topic in addition to an object of 300 other topics",
      { svc_subscription_preferences: topics(300), [`${path}.t300`]: 1 },
      [tooMany],
    ],
    [
      "does not count a dotted topic again if the object has the same topic",
      { svc_subscription_preferences: topics(300), [`${path}.t299`]: 1 },
      {},
    ],
    [
      "refuses an object of more than 16 KB and names the topic that does not fit",
      { svc_subscription_preferences: { topics: { a: "x".repeat(9_000), b: "x".repeat(9_000), c: true } } },
      [tooLarge("b")],
    ],
    [
      "refuses dotted preferences of more than 16 KB together",
      Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`${path}.t${n}`, "x".repeat(1000)])),
      [tooLarge("t16")],
    ],
  ],
)
