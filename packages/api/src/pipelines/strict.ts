import { isJsonObject, type Json } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { fromIso } from "@inlet/core/values/Timestamp"
import { notText, readText } from "../wire/identifiers.ts"
import type { Call } from "./Call.ts"
import type { CallType } from "./CallType.ts"
import { valueFaults } from "../wire/faults.ts"
import { pipelinesFaults } from "./faults.ts"

type Check = (value: Json) => boolean

const isText: Check = (value) => typeof value === "string"
const isId: Check = (value) => readText(value) !== undefined
const isTime: Check = (value) => fromIso(value) !== undefined

/** Fields of every call, with their required types (pipelines-api §2.1). */
const forms: ReadonlyArray<readonly [field: string, check: Check, form: string]> = [
  ["userId", isId, "a string"],
  ["anonymousId", isId, "a string"],
  ["messageId", isId, "a string"],
  ["timestamp", isTime, "an ISO 8601 date-time"],
  ["originalTimestamp", isTime, "an ISO 8601 date-time"],
  ["sentAt", isTime, "an ISO 8601 date-time"],
  ["receivedAt", isTime, "an ISO 8601 date-time"],
  ["type", isText, "a string"],
  ["context", isJsonObject, "an object"],
  ["integrations", isJsonObject, "an object"],
]

const formsByType: Readonly<Record<CallType, typeof forms>> = {
  identify: [["traits", isJsonObject, "an object"]],
  track: [
    ["event", isText, "a string"],
    ["properties", isJsonObject, "an object"],
  ],
  page: [
    ["name", isText, "a string"],
    ["category", isText, "a string"],
    ["properties", isJsonObject, "an object"],
  ],
  screen: [
    ["name", isText, "a string"],
    ["category", isText, "a string"],
    ["properties", isJsonObject, "an object"],
  ],
  group: [
    ["groupId", isId, "a string"],
    ["traits", isJsonObject, "an object"],
  ],
  alias: [["previousId", isId, "a string"]],
}

/**
 * Returns the faults for which strict mode refuses a call. Fields of a wrong type are reported first, and missing
 * required fields only if all types are right (pipelines-api §7).
 */
export const strictFaults = ({ body, type }: Pick<Call, "body" | "type">): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (const [field, check, form] of [...forms, ...formsByType[type]]) {
    const value = body[field] ?? null
    if (value === null || check(value)) continue
    faults.push(check === isId ? notText(field, value) : pipelinesFaults.wrongForm(field, { form }))
  }
  return faults.length > 0 ? faults : missing({ body, type })
}

/**
 * Returns the faults in the top-level fields of a batch. In strict mode, any such fault refuses the batch. Does not
 * check the calls.
 */
export const strictEnvelopeFaults = (envelope: Call["body"]): ReadonlyArray<Fault> => {
  const sentAt = envelope["sentAt"] ?? null
  const faults: Array<Fault> = []
  if (sentAt !== null && !isTime(sentAt)) {
    faults.push(pipelinesFaults.wrongForm("sentAt", { form: "an ISO 8601 date-time" }))
  }
  for (const field of ["context", "integrations"]) {
    const value = envelope[field] ?? null
    if (value !== null && !isJsonObject(value)) {
      faults.push(valueFaults.notObject(field))
    }
  }
  return faults
}

const missing = ({ body, type }: Pick<Call, "body" | "type">): ReadonlyArray<Fault> => {
  const has = (field: string) => (readText(body[field]) ?? null) !== null
  const faults: Array<Fault> = []
  if (type !== "group" && !has("userId") && !has("anonymousId")) {
    faults.push(pipelinesFaults.callerMissing("userId"))
  }
  const field = requiredFields.get(type)
  if (field !== undefined && (!has(field) || isBlank(body[field])))
    faults.push(pipelinesFaults.missing(field))
  return faults
}

const isBlank = (value: Json | undefined) => typeof value === "string" && value.trim() === ""

const requiredFields: ReadonlyMap<CallType, string> = new Map<CallType, string>([
  ["track", "event"],
  ["group", "groupId"],
  ["alias", "previousId"],
])
