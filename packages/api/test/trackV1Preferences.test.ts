import { decodeIdentify } from "@inlet/api/track-v1/people"
import { assignments, receipt } from "./requests.ts"
import { many, table } from "./tables.ts"

const preferences = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`svc_subscription_preferences.topics.t${i}`, true]),
  )

const most = { ...many(300), ...preferences(300), unsubscribed: true, created_at: 1 }

table<object>(
  "v1 dotted preferences are not counted among attributes, and are bounded for themselves",
  (over, body) => decodeIdentify(receipt("track-v1", over), "5", body),
  [
    ["300 of each", most, { assignments: assignments(...Object.entries(most)) }],
    [
      "301 preferences",
      preferences(301),
      [
        "too_many svc_subscription_preferences: cannot set more than 300 subscription preferences in one request",
      ],
    ],
    [
      "301 of each",
      { ...many(301), ...preferences(301) },
      [
        "too_many : cannot identify more than 300 attributes in one request",
        "too_many svc_subscription_preferences: cannot set more than 300 subscription preferences in one request",
      ],
    ],
  ],
)
