import type { MapForm } from "@inlethq/core/form/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { Result } from "effect"
import { assignmentFault } from "../decoding/assignments.ts"
import { canonicalName } from "../decoding/Brand.ts"
import { envelope } from "../decoding/envelope.ts"
import { requiredText } from "../decoding/fieldValues.ts"
import { noFindings } from "../decoding/Findings.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { reject } from "../decoding/reject.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Decodes the mapping of a form, which is an operator's command and not a call of the Track API. */
export const decodeMapping = (
  receipt: Receipt,
  formId: string,
  given: Json | undefined,
): Result.Result<MapForm, RejectOperation> => {
  const findings = noFindings()
  const id = requiredText({ field: "form_id", value: formId }, foreignIdBytesMax, findings)
  const mapping = new Map<string, string>()
  if (given === undefined || !isJsonObject(given)) findings.violations.push(valueTexts.notObject("mapping"))
  else {
    for (const [field, name] of Object.entries(given)) {
      const attribute = typeof name === "string" ? canonicalName(receipt.brand, name) : field
      const wrong =
        typeof name === "string"
          ? assignmentFault(receipt.workspace.limits, "mapping.", attribute, null)
          : valueTexts.notText(`mapping.${field}`)
      if (wrong === undefined) mapping.set(field, attribute)
      else findings.violations.push(wrong)
    }
  }
  return id === null || findings.violations.length > 0
    ? Result.fail(reject(receipt, null, findings.violations))
    : Result.succeed({ ...envelope("MapForm", receipt), formId: id, mapping })
}
