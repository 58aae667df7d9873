import { assignments, receivedAt } from "./requests.ts"
import { many } from "./tables.ts"
import { identifyTable, type Row } from "./trackV1Identify.ts"

const noTime = (name: string) => [`invalid ${name}: ${name} must be Unix seconds or an ISO 8601 date-time`]

identifyTable("Track v1 identify: attributes", [
  [
    "accepts any JSON as a value",
    "5",
    { a: "1", b: 2, c: true, d: { e: [1] }, f: [], g: null, h: "" },
    {
      assignments: assignments(
        ["a", "1"],
        ["b", 2],
        ["c", true],
        ["d", { e: [1] }],
        ["f", []],
        ["g", null],
        ["h", ""],
      ),
    },
  ],
  [
    "keeps names unchanged",
    "5",
    { _city: "x", "dot.name": "y", Plan: 1, plan: 2, timestamp: 3 },
    {
      assignments: assignments(["_city", "x"], ["dot.name", "y"], ["Plan", 1], ["plan", 2], ["timestamp", 3]),
    },
  ],
  [
    "reads subscription preferences with either prefix",
    "5",
    {
      cio_subscription_preferences: { topics: {} },
      "cio_subscription_preferences.topics.a": true,
      "svc_subscription_preferences.topics.b": false,
    },
    {
      assignments: assignments(
        ["svc_subscription_preferences", { topics: {} }],
        ["svc_subscription_preferences.topics.a", true],
        ["svc_subscription_preferences.topics.b", false],
      ),
    },
  ],
  [
    "does not change a custom attribute name that begins with a brand prefix",
    "5",
    { cio_plan: 1 },
    { assignments: assignments(["cio_plan", 1]) },
  ],
  [
    "reads created_at in Unix seconds",
    "5",
    { created_at: 1_571_043_797 },
    { assignments: assignments(["created_at", 1_571_043_797]) },
  ],
  [
    "rounds created_at down to whole seconds",
    "5",
    { created_at: 1_571_043_797.9 },
    { assignments: assignments(["created_at", 1_571_043_797]) },
  ],
  [
    "reads created_at as text of digits",
    "5",
    { created_at: "1795170096" },
    { assignments: assignments(["created_at", 1_795_170_096]) },
  ],
  [
    "reads created_at in ISO 8601",
    "5",
    { created_at: "2026-11-20T10:21:36.995Z" },
    { assignments: assignments(["created_at", 1_795_170_096]) },
  ],
  [
    "removes a created_at that is null",
    "5",
    { created_at: null },
    { assignments: assignments(["created_at", null]) },
  ],
  [
    "leaves out an invalid created_at and reports it",
    "5",
    { created_at: "25 Mar 2015", a: 1 },
    { assignments: assignments(["a", 1]), faults: noTime("created_at") },
  ],
  [
    "uses _timestamp as the time of the update",
    "5",
    { _timestamp: 1_571_043_797, a: 1 },
    { at: 1_571_043_797_000, assignments: assignments(["a", 1]) },
  ],
  [
    "ignores an invalid _timestamp and reports it",
    "5",
    { _timestamp: "soon" },
    { at: receivedAt, faults: noTime("_timestamp") },
  ],
  [
    "reads _update as a request not to create a person",
    "5",
    { _update: true },
    { updateOnly: true, assignments: [] },
  ],
  [
    "reads an identify with a false _update as an ordinary identify",
    "5",
    { _update: false },
    { updateOnly: false, assignments: [] },
  ],
  ...[true, 1, "1", "true", "TRUE"].map((value): Row => [
    `reads unsubscribed ${JSON.stringify(value)} as true`,
    "5",
    { unsubscribed: value },
    { assignments: assignments(["unsubscribed", true]) },
  ]),
  ...[false, 0, "0", "false", "yes", null, "", 2, {}].map((value): Row => [
    `reads unsubscribed ${JSON.stringify(value)} as false`,
    "5",
    { unsubscribed: value },
    { assignments: assignments(["unsubscribed", false]) },
  ]),
  [
    "stores keys such as __proto__ as attributes",
    "5",
    JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":1}'),
    { assignments: assignments(["__proto__", { a: 1 }], ["constructor", "c"], ["toString", 1]) },
  ],
])

identifyTable("Track v1 identify: limits of attributes", [
  [
    "accepts a name of 150 bytes",
    "5",
    { ["é".repeat(75)]: 1 },
    { assignments: assignments(["é".repeat(75), 1]) },
  ],
  [
    "refuses a name of 151 bytes",
    "5",
    { [`${"é".repeat(75)}x`]: 1 },
    ["too_long : attribute name cannot be longer than 150 bytes"],
  ],
  [
    "accepts a value of 1000 bytes",
    "5",
    { a: "€".repeat(333) + "x" },
    { assignments: assignments(["a", "€".repeat(333) + "x"]) },
  ],
  [
    "refuses a value of 1001 bytes",
    "5",
    { a: "€".repeat(333) + "xy" },
    ["too_long a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  [
    "accepts a value of 1000 bytes as JSON",
    "5",
    { a: ["x".repeat(996)] },
    { assignments: assignments(["a", ["x".repeat(996)]]) },
  ],
  [
    "refuses a value of 1001 bytes as JSON",
    "5",
    { a: ["x".repeat(997)] },
    ["too_long a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  [
    "accepts 300 attributes besides identifiers and reserved names",
    "5",
    {
      ...many(300),
      email: "a@b.io",
      created_at: 1,
      unsubscribed: false,
      _update: true,
      "svc_subscription_preferences.topics.a": true,
    },
    { email: "a@b.io" },
  ],
  [
    "refuses 301 attributes",
    "5",
    many(301),
    ["too_many : cannot identify more than 300 attributes in one request"],
  ],
  [
    "reports all faults of an identify",
    "",
    { id: "", a: "x".repeat(1001) },
    [
      "required identifier: id attribute must be present",
      "invalid id: id attribute cannot be an empty string",
      "too_long a: value for attribute 'a' cannot be longer than 1000 bytes",
    ],
  ],
])
