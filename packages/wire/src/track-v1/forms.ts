import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { SubmitForm } from "@inlethq/core/form/commands"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { foreignIdBytesMax, formFieldsMax } from "@inlethq/core/workspace/Limits"
import { Result } from "effect"
import { assignmentFault } from "../decoding/assignments.ts"
import { canonicalName } from "../decoding/Brand.ts"
import { envelope } from "../decoding/envelope.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { readText } from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { isAbsent, isEmptyArray, required, requiredText } from "../decoding/fieldValues.ts"
import { resourceTexts, valueTexts } from "../texts/wireTexts.ts"

type Fields = SubmitForm["fields"]

/**
 * Decodes POST `/forms/{form_id}/submit` (track-api §2.7, §4.3 rule 3). `formId` is the decoded path segment. Whether a
 * field identifies the respondent is checked when the command is applied, because only the stored form shows which
 * field this is.
 */
export const decodeForm = (
  receipt: Receipt,
  formId: string,
  body: unknown,
): Result.Result<SubmitForm, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "form_submission", [notAnObject()]))
  const findings = noFindings()
  const id = requiredText({ field: "form_id", value: formId }, foreignIdBytesMax, findings)
  const fields = readFields(receipt, body["data"], findings)
  return id === null || findings.violations.length > 0
    ? Result.fail(reject(receipt, "form_submission", findings.violations))
    : Result.succeed({ ...envelope("SubmitForm", receipt), formId: id, fields })
}

const readFields = (receipt: Receipt, data: Json | undefined, findings: Findings): Fields => {
  if (isJsonObject(data)) return fieldsOf(receipt, data, findings)
  if (isEmptyArray(data)) return []
  findings.violations.push(isAbsent(data) ? required("data") : valueTexts.notObject("data"))
  return []
}

/** Keys of `data` that describe the form and are not fields of the form. */
export const ignoredFormKeys: ReadonlySet<string> = new Set([
  "form_id",
  "form_name",
  "form_type",
  "form_url",
  "form_url_param",
])

/** Reads the fields of a form. Each field has the same limits as the attribute that it sets. */
const fieldsOf = (
  { brand, workspace: { limits } }: Receipt,
  data: JsonObject,
  { violations }: Findings,
): Fields => {
  const fields: Array<Fields[number]> = []
  for (const key of Object.keys(data)) {
    if (ignoredFormKeys.has(key)) continue
    const name = canonicalName(brand, key)
    const value = readValue(data[key])
    const wrong =
      value === null ? valueTexts.notText(`data.${name}`) : assignmentFault(limits, "data.", name, value)
    if (wrong !== undefined) violations.push(wrong)
    else if (value !== null) fields.push({ name, value })
  }
  if (Object.hasOwn(data, "")) violations.push(resourceTexts.fieldWithoutName("data"))
  if (fields.length > formFieldsMax) {
    violations.push(resourceTexts.tooManyFields("data", { max: formFieldsMax }))
  }
  return fields
}

/** Returns a text, number or boolean as text. Returns null for any other value (contract §12). */
const readValue = (value: Json | undefined): string | null => {
  if (typeof value === "string") return value
  return typeof value === "boolean" ? String(value) : (readText(value) ?? null)
}
