import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { isIsoTime } from "@inlethq/core/values/Timestamp"
import { notText, readText } from "../decoding/identifiers.ts"
import { isEmptyArray } from "../decoding/fieldValues.ts"
import type { Call } from "./Call.ts"
import type { CallType } from "./CallType.ts"
import { valueTexts } from "../texts/wireTexts.ts"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"

/** The types that strict mode demands of fields, with the wording of errors and the check of a value. */
const forms = {
  text: { form: "a string", check: (value: Json) => typeof value === "string" },
  id: { form: "a string", check: (value: Json) => readText(value) !== undefined },
  time: { form: "an ISO 8601 date-time", check: isIsoTime },
  object: { form: "an object", check: (value: Json) => isJsonObject(value) || isEmptyArray(value) },
  /** A list is read as an empty object, and its entry says so. */
  nested: { form: "an object", check: (value: Json) => typeof value === "object" },
} as const

/** The name of a type that strict mode demands. An `id` may also be a number. */
export type StrictForm = keyof typeof forms

type StrictFields = ReadonlyArray<readonly [field: string, form: StrictForm]>

/** Fields of every call, with their required types (pipelines-api §2.1). */
const sharedFields: StrictFields = [
  ["userId", "id"],
  ["anonymousId", "id"],
  ["messageId", "id"],
  ["timestamp", "time"],
  ["originalTimestamp", "time"],
  ["sentAt", "time"],
  ["receivedAt", "time"],
  ["type", "text"],
  ["context", "nested"],
  ["integrations", "object"],
]

const viewFields: StrictFields = [
  ["name", "text"],
  ["category", "text"],
  ["properties", "object"],
]

const fieldsByType: Readonly<Record<CallType, StrictFields>> = {
  identify: [["traits", "object"]],
  track: [
    ["event", "text"],
    ["properties", "object"],
  ],
  page: viewFields,
  screen: viewFields,
  group: [
    ["groupId", "id"],
    ["traits", "object"],
  ],
  alias: [["previousId", "id"]],
}

/** Returns the fields of a call that strict mode checks, with their types. */
export const strictFields = (type: CallType): StrictFields => [...sharedFields, ...fieldsByType[type]]

/** The fields of a batch that strict mode checks, with their types. */
export const strictBatchFields: StrictFields = [
  ["sentAt", "time"],
  ["context", "nested"],
  ["integrations", "object"],
]

/**
 * Returns the faults for which strict mode refuses a call. Fields of a wrong type are reported first, and missing
 * required fields only if all types are right (pipelines-api §7).
 */
export const strictFaults = ({ body, type }: Pick<Call, "body" | "type">): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (const [field, name] of strictFields(type)) {
    const value = body[field] ?? null
    const { check, form } = forms[name]
    if (value === null || check(value)) continue
    faults.push(name === "id" ? notText(field, value) : pipelinesTexts.wrongForm(field, { form }))
  }
  return faults.length > 0 ? faults : missing({ body, type })
}

/**
 * Returns the faults in the top-level fields of a batch. In strict mode, any such fault refuses the batch. Does not
 * check the calls.
 */
export const strictEnvelopeFaults = (envelope: Call["body"]): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (const [field, name] of strictBatchFields) {
    const value = envelope[field] ?? null
    const { check, form } = forms[name]
    if (value === null || check(value)) continue
    faults.push(name !== "time" ? valueTexts.notObject(field) : pipelinesTexts.wrongForm(field, { form }))
  }
  return faults
}

const missing = ({ body, type }: Pick<Call, "body" | "type">): ReadonlyArray<Fault> => {
  const has = (field: string) => (readText(body[field]) ?? null) !== null
  const faults: Array<Fault> = []
  if (needsCaller(type) && !has("userId") && !has("anonymousId")) {
    faults.push(pipelinesTexts.callerMissing("userId"))
  }
  const field = requiredFields.get(type)
  if (field !== undefined && (!has(field) || isBlank(body[field]))) faults.push(pipelinesTexts.missing(field))
  return faults
}

const isBlank = (value: Json | undefined) => typeof value === "string" && value.trim() === ""

/** Returns whether strict mode demands a `userId` or an `anonymousId` of a call. */
export const needsCaller = (type: CallType): boolean => type !== "group"

/** The other fields that strict mode demands. They may not be blank. */
export const requiredFields: ReadonlyMap<CallType, string> = new Map<CallType, string>([
  ["track", "event"],
  ["group", "groupId"],
  ["alias", "previousId"],
])
