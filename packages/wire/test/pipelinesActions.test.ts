import { describe, it } from "@effect/vitest"
import { decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { assertCommand, assignments, byAnonymousId, byId, requestContext, receivedAt } from "./requests.ts"
import { bodyTable, rejectedCall, type BodyRow } from "./pipelinesCalls.ts"

const noToken = "required properties.device.token: properties.device.token must be present"
const callerMissing = "required userId: userId or anonymousId is required"

const ios = { token: "t", type: "ios" }
const created = { userId: "5", event: "Device Created or Updated" }
const added = { _tag: "AddDevice", target: byId("5"), token: "t", platform: "ios" }

bodyTable("pipelines-api §6.1 Device Created or Updated: adds or updates the device of the call", "track", [
  [
    "reads the device in the context",
    { ...created, context: { device: ios } },
    { ...added, assignments: [], lastUsed: receivedAt },
  ],
  [
    "reads the device in the properties",
    { ...created, properties: { device: ios } },
    { ...added, assignments: [] },
  ],
  [
    "prefers the device in the properties over the device in the context",
    { ...created, context: { device: { ...ios, model: "m" } }, properties: { device: ios, a: 1 } },
    { ...added, assignments: assignments(["a", 1]) },
  ],
  [
    "reads the device in the properties if the device in the context has no token",
    { ...created, context: { device: { type: "android", id: "d" } }, properties: { device: ios } },
    added,
  ],
  [
    "reads the device in the context if the device in the properties has no token",
    { ...created, context: { device: ios }, properties: { device: { type: "android" } } },
    { ...added, assignments: [] },
  ],
  [
    "stores the properties and the app's version as attributes of the device",
    {
      ...created,
      context: { device: { ...ios, model: "not an attribute" }, app: { version: "2.0" } },
      properties: {
        device_os: "17",
        cio_sdk_version: "3.0",
        push_enabled: "true",
        network_wifi: true,
        gone: null,
      },
    },
    {
      ...added,
      assignments: assignments(
        ["app_version", "2.0"],
        ["device_os", "17"],
        ["svc_sdk_version", "3.0"],
        ["push_enabled", "true"],
        ["network_wifi", true],
        ["gone", null],
      ),
    },
  ],
  [
    "stores keys of the device object as attributes of the device",
    { ...created, properties: { device: { ...ios, color: "red", attributes: { size: 5 } } } },
    { ...added, assignments: assignments(["color", "red"], ["size", 5]) },
  ],
  [
    "accepts the device type under platform",
    { ...created, properties: { device: { token: "t", platform: "ios" } } },
    added,
  ],
  [
    "uses the time of the call as the last use of the device",
    { ...created, timestamp: "2026-03-01T11:00:00Z", context: { device: ios } },
    { ...added, at: receivedAt - 3_600_000, lastUsed: receivedAt - 3_600_000 },
  ],
  [
    "reads last_used of the device",
    { ...created, properties: { device: { ...ios, last_used: 5 } } },
    { ...added, at: receivedAt, lastUsed: 5000 },
  ],
  [
    "reads lastUsed of the device",
    { ...created, properties: { device: { ...ios, lastUsed: "2026-03-01T11:00:00Z" } } },
    { ...added, lastUsed: receivedAt - 3_600_000 },
  ],
  [
    "adds a device of an anonymous visitor",
    { anonymousId: "an", event: created.event, messageId: "m", context: { device: ios } },
    { ...added, target: byAnonymousId("an"), deduplicationKey: "m" },
  ],
  [
    "leaves out an attribute that is too long",
    { ...created, context: { device: ios }, properties: { a: "x".repeat(1001), b: 1 } },
    {
      ...added,
      assignments: assignments(["b", 1]),
      faults: ["too_long properties.a: value for attribute 'a' cannot be longer than 1000 bytes"],
    },
  ],
  [
    "leaves out properties that are not an object",
    { ...created, context: { device: ios }, properties: "x" },
    { ...added, assignments: [], faults: ["invalid properties: properties must be an object"] },
  ],
  [
    "refuses a device without a token",
    { ...created, context: { device: { type: "ios" } } },
    rejectedCall("add_device", "required context.device.token: context.device.token must be present"),
  ],
  [
    "refuses a device without a type",
    { ...created, properties: { device: { token: "t" } } },
    rejectedCall("add_device", "required properties.device.type: properties.device.type must be present"),
  ],
  [
    "refuses a call without a person or visitor",
    { event: created.event, properties: { device: ios } },
    rejectedCall("add_device", callerMissing),
  ],
])

const gone = { userId: "5", event: "Device Deleted" }
const removed = { _tag: "DeleteDevice", target: byId("5"), token: "t" }

bodyTable("pipelines-api §6.1 Device Deleted: removes the device of the call", "track", [
  [
    "reads the token in the context",
    { ...gone, context: { device: { token: "t" } }, properties: {} },
    removed,
  ],
  ["reads the token in the properties", { ...gone, properties: { device: ios } }, removed],
  [
    "removes a device of an anonymous visitor",
    { event: gone.event, anonymousId: "an", context: { device: ios } },
    { ...removed, target: byAnonymousId("an") },
  ],
  ["refuses to remove a device without a token", gone, rejectedCall("delete_device", noToken)],
])

const user = (event: string) => ({ userId: "5", event, messageId: "m", properties: { a: 1 } })
const onUser = (_tag: string) => ({ _tag, target: byId("5"), deduplicationKey: "m" })

bodyTable("pipelines-api §6.1: reserved event names act on people", "track", [
  [
    "pipelines-api §6.1 User Deleted: deletes the person of the call",
    user("User Deleted"),
    onUser("DeletePerson"),
  ],
  [
    "pipelines-api §6.1 User Suppressed: suppresses the person of the call",
    user(" User Suppressed "),
    onUser("SuppressPerson"),
  ],
  [
    "pipelines-api §6.1 User Unsuppressed: accepts the identifiers of the person again",
    user("User Unsuppressed"),
    onUser("UnsuppressPerson"),
  ],
  [
    "refuses an action without a person or visitor",
    { event: "User Deleted" },
    rejectedCall("delete", callerMissing),
  ],
  [
    "refuses an id that is too long",
    { event: "User Suppressed", userId: "x".repeat(151) },
    rejectedCall("suppress", "too_long userId: id attribute cannot be longer than 150 bytes"),
  ],
  [
    "records a reserved name in another case as an ordinary event",
    { userId: "5", event: "user deleted" },
    { _tag: "RecordEvent", name: "user deleted" },
  ],
])

const object = (typeId: string, objectId: string) => ({ _tag: "ByTypeAndId", typeId, objectId })
const unrelated = (typeId: string, objectId: string) => ({
  _tag: "ChangeRelationships",
  target: byId("5"),
  action: "delete",
  entries: [{ object: object(typeId, objectId), assignments: [] }],
})
const leaves = { userId: "5", event: "Relationship Deleted" }
const noObject = "required properties.objectId: properties.objectId must be present"

bodyTable("pipelines-api §6.1: reserved event names delete relationships and objects", "track", [
  [
    "pipelines-api §6.1 Relationship Deleted: removes the relationship to the object",
    { ...leaves, properties: { objectId: "acme" } },
    unrelated("1", "acme"),
  ],
  [
    "reads the object of a relationship in camel case",
    { ...leaves, properties: { objectId: "acme", objectTypeId: 2 } },
    unrelated("2", "acme"),
  ],
  [
    "reads the object of a relationship in snake case",
    { ...leaves, properties: { object_id: 7, object_type_id: "2" } },
    unrelated("2", "7"),
  ],
  [
    "removes a relationship of an anonymous visitor",
    { event: leaves.event, anonymousId: "an", properties: { objectId: "acme" } },
    { ...unrelated("1", "acme"), target: byAnonymousId("an") },
  ],
  [
    "refuses to remove a relationship without a person or visitor",
    { event: leaves.event, properties: { objectId: "acme" } },
    rejectedCall("delete_relationships", callerMissing),
  ],
  [
    "refuses to remove a relationship without an object",
    { ...leaves, properties: {} },
    rejectedCall("delete_relationships", noObject),
  ],
  [
    "pipelines-api §6.1 Object Deleted: deletes the object in the properties",
    { event: "Object Deleted", anonymousId: "an", properties: { objectId: "acme" } },
    { _tag: "DeleteObject", object: object("1", "acme") },
  ],
  [
    "deletes an object without a person or visitor",
    { event: "Object Deleted", properties: { objectId: "acme", object_type_id: 3 } },
    { _tag: "DeleteObject", object: object("3", "acme") },
  ],
  [
    "refuses an object id that is too long",
    { event: "Object Deleted", properties: { objectId: "x".repeat(151) } },
    rejectedCall(
      "object_delete",
      "too_long properties.objectId: properties.objectId cannot be longer than 150 bytes",
    ),
  ],
  [
    "pipelines-api §6.1 Group Deleted: deletes the object named by groupId",
    { userId: "5", event: "Group Deleted", properties: { groupId: "acme" } },
    { _tag: "DeleteObject", object: object("1", "acme") },
  ],
  [
    "reads group_id in snake case",
    { userId: "5", event: "Group Deleted", properties: { group_id: "acme", objectTypeId: "2" } },
    { _tag: "DeleteObject", object: object("2", "acme") },
  ],
  [
    "reads groupId at the top level of the call",
    { userId: "5", event: "Group Deleted", groupId: "acme" },
    { _tag: "DeleteObject", object: object("1", "acme") },
  ],
  [
    "refuses Group Deleted without a group",
    { userId: "5", event: "Group Deleted" },
    rejectedCall("object_delete", noObject),
  ],
])

const report = (properties: object) => ({ anonymousId: "D", event: "Report Delivery Event", properties })
const reported = { _tag: "ReportMetric", deliveryId: "D", metric: "opened" }

bodyTable("pipelines-api §6.1 Report Delivery Event: records a delivery metric without a person", "track", [
  [
    "reads a delivery report in the form that mobile SDKs send",
    report({ recipient: "tok", metric: "opened", deliveryId: "D" }),
    { ...reported, recipient: "tok", reason: null, href: null, deviceToken: null },
  ],
  [
    "reads all fields of a report",
    report({
      delivery_id: "D",
      metric: "opened",
      reason: "r",
      href: "h",
      device_token: "t",
      actionName: "Dismiss",
      actionValue: "later",
    }),
    { ...reported, reason: "r", href: "h", deviceToken: "t", actionName: "Dismiss", actionValue: "later" },
  ],
  [
    "accepts a report without a person or visitor",
    { event: "Report Delivery Event", properties: { deliveryId: "D", metric: "opened" } },
    reported,
  ],
  ...["bounced", "clicked", "converted", "deferred", "delivered", "dropped", "opened", "spammed"].map(
    (metric): BodyRow => [
      `accepts the metric ${metric}`,
      report({ deliveryId: "D", metric }),
      { ...reported, metric },
    ],
  ),
  [
    "refuses an unknown metric",
    report({ deliveryId: "D", metric: "read" }),
    rejectedCall(
      "delivery_metric",
      "invalid properties.metric: properties.metric must be one of bounced, clicked, converted, deferred, delivered, dropped, opened, spammed",
    ),
  ],
  [
    "refuses a report without a delivery id",
    report({ metric: "opened" }),
    rejectedCall("delivery_metric", "required properties.deliveryId: properties.deliveryId must be present"),
  ],
])

const held = {
  _tag: "DeviceUpdate",
  token: "t",
  platform: "ios",
  lastUsed: receivedAt,
  lastUsedGiven: false,
  assignments: assignments(),
}
const app = (event: string, context: object = { device: ios }) => ({
  userId: "5",
  event,
  properties: { build: "7" },
  context,
})
const stored = (name: string) => ({ _tag: "RecordEvent", name, data: { build: "7" } })

bodyTable("contract §13: app events add and remove devices", "track", [
  [
    "contract §13 events of an app: Application Installed adds the device in the context",
    app("Application Installed"),
    { ...stored("Application Installed"), device: held },
  ],
  [
    "Application Opened adds the device with the version of the app",
    app("Application Opened", { device: ios, app: { version: "2.0" } }),
    {
      ...stored("Application Opened"),
      device: { ...held, assignments: assignments(["app_version", "2.0"]) },
    },
  ],
  [
    "Application Opened adds no device without a token",
    app("Application Opened", { device: { type: "ios" } }),
    { device: null },
  ],
  [
    "Application Opened adds no device without a type and reports it",
    app("Application Opened", { device: { token: "t" } }),
    { device: null, faults: ["required context.device.type: context.device.type must be present"] },
  ],
  [
    "Application Uninstalled removes the device",
    app("Application Uninstalled"),
    { ...stored("Application Uninstalled"), device: { _tag: "DeviceRemoval", token: "t" } },
  ],
  [
    "Application Uninstalled removes no device without a token",
    app("Application Uninstalled", {}),
    { device: null },
  ],
  ["an ordinary event adds no device", app("Button Clicked"), { device: null }],
])

const identify = (context: object) =>
  decodeCall(requestContext(), "identify", { userId: "5", context }).commands[0]

describe("contract §13 device of an identify: the device in the context is added if it has a token", () => {
  it("an identify adds the device in its context", () => {
    assertCommand(identify({ device: ios }), { _tag: "IdentifyPerson", device: held })
  })

  it("a Pipelines identify adds no device if the device has no token", () => {
    assertCommand(identify({ device: { id: "d", type: "ios", model: "m" } }), { device: null })
  })

  it("an identify without a `context` adds the device in the `context` of its batch", () => {
    const body = { context: { device: ios }, batch: [{ type: "identify", userId: "5" }] }
    assertCommand(decodeBatch(requestContext(), body).commands[0], { device: held })
  })
})
