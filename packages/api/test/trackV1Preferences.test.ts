import { decodeIdentify } from "@inlet/api/track-v1/people"
import { assignments, receipt } from "./requests.ts"
import { many, table } from "./tables.ts"

const preferences = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`svc_subscription_preferences.topics.t${i}`, true]),
  )

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
    [
      "refuses 301 dotted preferences",
      preferences(301),
      [
        "too_many svc_subscription_preferences: cannot set more than 300 subscription preferences in one request",
      ],
    ],
    [
      "reports too many attributes and too many preferences separately",
      { ...many(301), ...preferences(301) },
      [
        "too_many : cannot identify more than 300 attributes in one request",
        "too_many svc_subscription_preferences: cannot set more than 300 subscription preferences in one request",
      ],
    ],
  ],
)
