import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { deliveryMetrics, readReport, reportMetric } from "../decoding/delivery.ts"
import { addDevice, deleteDevice } from "../decoding/device.ts"
import { envelope, type EnvelopeOptions } from "../decoding/envelope.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { byTypeAndId } from "../decoding/object.ts"
import { deletePerson, suppressPerson, unsuppressPerson } from "../decoding/person.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { isAbsent, isEmptyArray } from "../decoding/fieldValues.ts"
import { objectOr, rejectCall, firstSpelling, type Call } from "./Call.ts"
import { readTarget } from "./caller.ts"
import { callTimeOf } from "./callTime.ts"
import { readDeviceToken, readActionDevice } from "./device.ts"
import { optionsOf } from "./options.ts"
import { typeKeys } from "./relationship.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/**
 * The values that the decoder of an action needs. An action is an operation that a reserved event name stands for.
 * `findings` collects the problems found while decoding.
 */
interface ActionInput {
  readonly call: Call
  readonly receipt: Receipt
  readonly properties: JsonObject
  readonly findings: Findings
}

/** Builds the command of an action. `options` contains the time of the call, its deduplication key and its faults. */
type BuildCommand = (options: EnvelopeOptions) => Command

/**
 * An operation that clients request by sending a track call with a reserved event name. `kind` is recorded in the
 * activity log. `read` returns null if a required value is invalid.
 */
export interface ServiceAction {
  readonly kind: ActivityKind
  readonly read: (asked: ActionInput) => BuildCommand | null
}

/**
 * Decodes a track call with a reserved event name as the Track API operation that the name stands for (pipelines-api
 * §6.1).
 */
export const decodeAction = (
  call: Call,
  { kind, read }: ServiceAction,
): Result.Result<Command, RejectOperation> => {
  const findings = noFindings()
  const given = call.body["properties"]
  const properties = objectOr(given, {})
  if (!isAbsent(given) && given !== properties && !isEmptyArray(given)) {
    findings.faults.push(valueTexts.notObject("properties"))
  }
  const make = read({ call, receipt: call.receipt, properties, findings })
  return make === null
    ? rejectCall(call, kind, ...findings.violations)
    : Result.succeed(make(optionsOf(call, findings)))
}

const createDevice: ServiceAction = {
  kind: "add_device",
  read: ({ call, findings, properties, receipt }) => {
    const target = readTarget(call, findings)
    const device = readActionDevice(call, properties, callTimeOf(call).at, findings)
    return target === null || device === null
      ? null
      : (options) => addDevice(receipt, target, device, options)
  },
}

const removeDevice: ServiceAction = {
  kind: "delete_device",
  read: ({ call, findings, properties, receipt }) => {
    const target = readTarget(call, findings)
    const token = readDeviceToken(call, properties, findings)
    return target === null || token === null
      ? null
      : (options) => deleteDevice(receipt, target, token, options)
  },
}

const onPerson = (
  kind: ActivityKind,
  make: (receipt: Receipt, target: Reference, options: EnvelopeOptions) => Command,
): ServiceAction => ({
  kind,
  read: ({ call, findings, receipt }) => {
    const target = readTarget(call, findings)
    return target === null ? null : (options) => make(receipt, target, options)
  },
})

const deleteRelationship: ServiceAction = {
  kind: "delete_relationships",
  read: (asked) => {
    const target = readTarget(asked.call, asked.findings)
    const object = readObject(asked)
    if (target === null || object === null) return null
    return (options) => ({
      ...envelope("ChangeRelationships", asked.receipt, options),
      target,
      action: "delete",
      entries: [{ object, assignments: [] }],
    })
  },
}

const deleteObject: ServiceAction = {
  kind: "object_delete",
  read: (asked) => {
    const object = readObject(asked)
    return object === null
      ? null
      : (options) => ({ ...envelope("DeleteObject", asked.receipt, options), object })
  },
}

const groupKeys = ["groupId", "group_id"] as const

/**
 * Reads the object that an action adds, updates or deletes. A group is an object too, so `groupId` and `group_id` are
 * also accepted.
 */
const readObject = ({ call: { body }, findings, properties, receipt }: ActionInput) => {
  const inProperties = firstSpelling("properties.", properties, ["objectId", "object_id", ...groupKeys])
  const id =
    isAbsent(inProperties.value) && !isAbsent(body["groupId"])
      ? firstSpelling("", body, groupKeys)
      : inProperties
  return byTypeAndId(receipt, firstSpelling("properties.", properties, typeKeys), id, findings)
}

/** Records a report on a delivery. Ids of a person or visitor in the call are ignored (contract §13). */
const reportDelivery: ServiceAction = {
  kind: "delivery_metric",
  read: ({ findings, properties, receipt }) => {
    const given = (...keys: readonly [string, ...ReadonlyArray<string>]) =>
      firstSpelling("properties.", properties, keys)
    const report = readReport(
      {
        deliveryId: given("deliveryId", "delivery_id"),
        metric: given("metric"),
        recipient: given("recipient"),
        reason: given("reason"),
        href: given("href"),
        deviceToken: given("deviceToken", "device_token"),
        actionName: given("actionName", "action_name"),
        actionValue: given("actionValue", "action_value"),
      },
      deliveryMetrics,
      findings,
    )
    return report === null ? null : (options) => reportMetric(receipt, report, options)
  },
}

/** Maps each reserved event name to the operation that a track call with this name requests (pipelines-api §6.1). */
export const serviceActions: ReadonlyMap<string, ServiceAction> = new Map([
  ["Device Created or Updated", createDevice],
  ["Device Deleted", removeDevice],
  ["User Deleted", onPerson("delete", deletePerson)],
  ["User Suppressed", onPerson("suppress", suppressPerson)],
  ["User Unsuppressed", onPerson("unsuppress", unsuppressPerson)],
  ["Relationship Deleted", deleteRelationship],
  ["Object Deleted", deleteObject],
  ["Group Deleted", deleteObject],
  ["Report Delivery Event", reportDelivery],
])
