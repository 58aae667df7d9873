import { assert, describe, it } from "@effect/vitest"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { decodeEntity } from "../src/track-v2/entity.ts"
import {
  assertDecoded,
  assignments,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  idOnly,
  receipt,
  receivedAt,
  workspace,
  envelopeFrom,
} from "./requests.ts"
import { many, table, type Row } from "./tables.ts"

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))
const longest = "é".repeat(foreignIdBytesMax / 2)

const decode = (over: typeof workspace, item: unknown) => decodeEntity(receipt("track-v2", over), item)

const person = (action: string, rest: object) => ({ type: "person", action, ...rest })

/** Test cases for the actions that need only a person. */
const targetCases = (action: string, _tag: string): ReadonlyArray<Row<unknown>> => [
  [
    "track-api §4.2: accepts a person by id",
    person(action, { identifiers: { id: 5 }, attributes: {}, cio_relationships: [] }),
    { _tag, target: byId("5"), at: receivedAt },
  ],
  [
    "track-api §4.2: accepts a person by email",
    person(action, { identifiers: { email: "a@b.io" } }),
    { target: byEmail("a@b.io") },
  ],
  [
    "contract §6: prefers svc_id and ignores other identifiers",
    person(action, { identifiers: { id: "5", email: "a@b.io", cio_id: svc42 } }),
    { target: bySvcId(42) },
  ],
  [
    "contract §6: prefers id and ignores an email that the workspace does not use",
    person(action, { identifiers: { email: "a@b.io", id: "5" } }),
    { target: byId("5") },
    idOnly,
  ],
  [
    "refuses an anonymous visitor",
    person(action, { identifiers: { anonymous_id: "an" } }),
    ["invalid identifiers.anonymous_id: anonymous_id cannot be used for this action"],
  ],
  [
    "refuses an item without identifiers",
    person(action, {}),
    ["required identifiers: identifiers must be present"],
  ],
]

table("Track v2 suppress", decode, targetCases("suppress", "SuppressPerson"))
table("Track v2 unsuppress", decode, targetCases("unsuppress", "UnsuppressPerson"))

describe("Track v2 refusals", () => {
  for (const [type, action, kind] of [
    ["person", "suppress", "suppress"],
    ["person", "unsuppress", "unsuppress"],
    ["person", "merge", "merge"],
    ["person", "add_device", "add_device"],
    ["person", "delete_device", "delete_device"],
    ["person", "add_relationships", "add_relationships"],
    ["person", "delete_relationships", "delete_relationships"],
    ["object", "identify", "object_identify"],
    ["object", "identify_anonymous", "object_identify"],
    ["object", "delete", "object_delete"],
    ["object", "add_relationships", "add_relationships"],
    ["object", "delete_relationships", "delete_relationships"],
    ["delivery", "event", "delivery_metric"],
  ] as const) {
    it(`a refused ${type} ${action} is recorded as a rejected operation of the kind ${kind}`, () => {
      const refused = Result.merge(decodeEntity(receipt("track-v2"), { type, action }))
      assert.deepInclude(refused, { _tag: "RejectOperation", kind })
    })
  }
})

const device = (rest: object, beside: object = {}) =>
  person("add_device", {
    identifiers: { id: "5" },
    device: { token: "t", platform: "ios", ...rest },
    ...beside,
  })

table("Track v2 add_device", decode, [
  [
    "track-api §4.2: decodes a device with its attributes",
    device({ last_used: 1_578_564_113, attributes: { device_os: "iOS", push_enabled: "true" } }),
    {
      _tag: "AddDevice",
      target: byId("5"),
      token: "t",
      platform: "ios",
      lastUsed: 1_578_564_113_000,
      assignments: assignments(["device_os", "iOS"], ["push_enabled", "true"]),
      at: receivedAt,
    },
  ],
  [
    "contract §10: stores unknown keys of the device as attributes",
    device({ rating: 2, id: "x" }),
    { assignments: assignments(["rating", 2], ["id", "x"]) },
  ],
  ["reads last_used in ISO 8601", device({ last_used: "1970-01-01T00:00:05.500Z" }), { lastUsed: 5500 }],
  [
    "contract §6: leaves out an invalid last_used and reports it",
    device({ last_used: [] }),
    {
      lastUsed: null,
      faults: ["invalid device.last_used: last_used must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "contract §6: uses _timestamp as the time of a device update",
    device({}, { _timestamp: 5, timestamp: 6 }),
    { at: 5000 },
  ],
  [
    "contract §6: leaves out an invalid timestamp of a device and reports it",
    device({}, { timestamp: "now" }),
    {
      at: receivedAt,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "contract §13: adds a device of an anonymous visitor",
    { ...device({}), identifiers: { anonymous_id: "an" } },
    { target: byAnonymousId("an") },
  ],
  ...["", "bounced", "sent", "suppressed"].map((status): Row<unknown> => [
    `contract §10: accepts the _last_status ${JSON.stringify(status)}`,
    device({ attributes: { _last_status: status } }),
    { assignments: assignments(["_last_status", status]) },
  ]),
  [
    "contract §10: refuses an unknown _last_status",
    device({ attributes: { _last_status: "lost" } }),
    ['invalid device.attributes._last_status: _last_status must be one of "", bounced, sent and suppressed'],
  ],
  [
    "track-api §2.4: refuses a device without a token",
    device({ token: null }),
    ["required device.token: device.token must be present"],
  ],
  [
    "contract §10: refuses an empty platform",
    device({ platform: "" }),
    ["required device.platform: device.platform must be present"],
  ],
  ["accepts a token of 1000 bytes", device({ token: longest }), { token: longest }],
  [
    "refuses a token of 1001 bytes",
    device({ token: `${longest}x` }),
    ["too_long device.token: device.token cannot be longer than 1000 bytes"],
  ],
  [
    "refuses 301 attributes",
    device({ attributes: many(301) }),
    ["too_many device: device cannot have more than 300 attributes"],
  ],
  [
    "reports all faults of a device item",
    person("add_device", { device: [] }),
    ["required identifiers: identifiers must be present", "invalid device: device must be an object"],
  ],
])

const gone = (given: unknown, identifiers: unknown = { id: "5" }) =>
  person("delete_device", { identifiers, device: given })

table("Track v2 delete_device", decode, [
  [
    "track-api §4.2: removes a device by token",
    gone({ token: "t" }),
    { _tag: "DeleteDevice", target: byId("5"), token: "t", at: receivedAt },
  ],
  ["accepts a number as token", gone({ token: 5 }), { token: "5" }],
  [
    "removes a device of an anonymous visitor",
    gone({ token: "t" }, { anonymous_id: "an" }),
    { target: byAnonymousId("an") },
  ],
  ["refuses a device without a token", gone({}), ["required device.token: device.token must be present"]],
  ["refuses an item without a device", gone(undefined), ["required device: device must be present"]],
  [
    "refuses to remove a device without identifiers",
    gone({ token: "t" }, null),
    ["required identifiers: identifiers must be present"],
  ],
])

table("Track v2 merge", decode, [
  [
    "track-api §4.2: merges two people",
    person("merge", { primary: { id: 432 }, secondary: { cio_id: svc42 } }),
    { _tag: "MergePeople", primary: byId("432"), secondary: bySvcId(42), at: receivedAt },
  ],
  [
    "track-api §4.2: ignores identifiers of a merge",
    person("merge", { identifiers: 5, primary: { email: "a@b.io" }, secondary: { id: "2" } }),
    { primary: byEmail("a@b.io"), secondary: byId("2") },
  ],
  [
    "contract §6: refuses a merge if a person has two identifiers or none",
    person("merge", { primary: { id: "1", email: "a@b.io" }, secondary: {} }),
    [
      "invalid primary: primary must contain exactly one identifier",
      "required secondary: secondary must contain an id, email or svc_id",
    ],
  ],
])

describe("Track v2 device items", () => {
  it("the decoder reads every field of a v2 delete_device", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(decodeEntity({ ...receipt("track-v2"), batchIndex: 3 }, gone({ token: "t" }))),
      {
        _tag: "DeleteDevice",
        ...envelopeFrom("track-v2"),
        batchIndex: 3,
        target: { _tag: "ByIdentifier", kind: "id", value: "5" },
        token: "t",
      },
    ))
  it("a v2 error reports all missing fields of an item", () =>
    assertDecoded(decodeEntity(receipt("track-v2"), person("add_device", { identifiers: {} })), [
      "required identifiers: identifiers must contain an id, email or svc_id",
      "required device: device must be present",
    ]))
})
