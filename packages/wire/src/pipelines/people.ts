import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Result } from "effect"
import { emptyReading, pipelines, readAttributes, type Reading } from "../decoding/attributes.ts"
import { noFindings } from "../decoding/Findings.ts"
import { addressBy, addressBySvcId, type Address } from "../decoding/identifiers.ts"
import { identify } from "../decoding/identify.ts"
import { byTypeAndId } from "../decoding/object.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { joinRelationships } from "../decoding/relationships.ts"
import { isAbsent, isEmptyArray } from "../decoding/fieldValues.ts"
import { contextValue, readMessageId, rejectCall, firstSpelling, type Call } from "./Call.ts"
import { callerMissing, readCaller } from "./caller.ts"
import { callTimeOf, timeFaults } from "./callTime.ts"
import { readContextDevice } from "./device.ts"
import { readRelationshipTraits, relationshipKeys, typeKeys } from "./relationship.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Decodes `identify` (pipelines-api §2.2, contract §13). */
export const decodeIdentify = (call: Call): Result.Result<IdentifyPerson, RejectOperation> => {
  const { body, receipt } = call
  const faults: Array<Fault> = []
  const deduplicationKey = readMessageId(call, faults)
  const traits = traitsOf(call, faults)
  const reading = readTraits(receipt, traits)
  if (Result.isFailure(reading)) return rejectCall(call, "identify", ...reading.failure)
  const address = readCaller(receipt, body, faults)
  if (Result.isFailure(address)) return rejectCall(call, "identify", address.failure)
  const addressed = address.success ?? addressOfTraits(receipt, reading.success)
  if (addressed === null) return rejectCall(call, "identify", callerMissing)
  const moment = callTimeOf(call)
  faults.push(...timeFaults(call, moment))
  faults.push(...reading.success.violations)
  return Result.succeed(
    identify(receipt, pipelines, addressed, reading.success, {
      at: reading.success.at ?? moment.at,
      followsReceipt: reading.success.at === null && moment.followsReceipt,
      originalTimestamp: moment.originalTimestamp,
      deduplicationKey,
      device: deviceBeside(call, moment.at, faults),
      faults,
    }),
  )
}

/** Returns the traits of a call. If the call has no traits, returns the traits in its context (contract §13). */
const traitsOf = (call: Call, faults: Array<Fault>): JsonObject | null => {
  const own = call.body["traits"] ?? null
  if (isJsonObject(own)) return own
  if (own !== null && !isEmptyArray(own)) faults.push(valueTexts.notObject("traits"))
  const inContext = contextValue(call, "traits")
  return isJsonObject(inContext) ? inContext : null
}

/**
 * Reads the traits of a person. Traits with an `objectId` also relate the person to the object with this id (contract
 * §13).
 */
const readTraits = (
  receipt: Receipt,
  traits: JsonObject | null,
): Result.Result<Reading, ReadonlyArray<Fault>> => {
  if (traits === null) return Result.succeed(emptyReading())
  if (isAbsent(traits[objectIdKey])) return Result.succeed(readAttributes(receipt, traits, pipelines))
  const others = Object.entries(traits).filter(([key]) => !objectKeys.has(key))
  const reading = readAttributes(receipt, Object.fromEntries(others), pipelines)
  const related = readRelated(receipt, traits)
  if (Result.isFailure(related)) return Result.fail(related.failure)
  const { faults, relationships, violations } = related.success
  reading.violations.push(...violations)
  reading.faults.push(...faults)
  reading.relationships = joinRelationships(reading.relationships, relationships, objectIdField, reading)
  return Result.succeed(reading)
}

const objectIdKey = "objectId"
const objectIdField = `traits.${objectIdKey}`

/**
 * The traits that identify or describe an object instead of the person. They have this meaning only in traits with an
 * `objectId`.
 */
const objectKeys = new Set([objectIdKey, ...relationshipKeys])

const readRelated = (receipt: Receipt, traits: JsonObject) => {
  const findings = noFindings()
  const id = { field: objectIdField, value: traits[objectIdKey] }
  const object = byTypeAndId(receipt, firstSpelling("traits.", traits, typeKeys), id, findings)
  if (object === null) return Result.fail(findings.violations)
  const assignments = readRelationshipTraits(receipt, traits, findings)
  const relationships = { action: "add", entries: [{ object, assignments }] } as const
  return Result.succeed({ ...findings, relationships })
}

/**
 * Returns the identifier of the person in a call without `userId` and `anonymousId`: the `svc_id` or the email in the
 * traits (contract §13).
 */
const addressOfTraits = (receipt: Receipt, { email, svcId }: Reading): Address | null => {
  if (svcId !== null) return addressBySvcId(receipt, svcId)
  return email === null ? null : addressBy("email", email)
}

const noProperties: JsonObject = {}

/** Reads the device in the context of an identify. Returns null if the device has no token. */
const deviceBeside = (call: Call, at: EpochMillis, faults: Array<Fault>) => {
  if (!isJsonObject(contextValue(call, "device"))) return null
  const findings = noFindings()
  const device = readContextDevice(call, noProperties, at, findings)
  faults.push(...findings.violations, ...findings.faults)
  return device
}
