import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { CreateSegment } from "@inlethq/core/segment/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { envelope } from "../decoding/envelope.ts"
import { requiredText } from "../decoding/fieldValues.ts"
import { noFindings } from "../decoding/Findings.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { reject } from "../decoding/reject.ts"

/** The largest size of the name of a segment, in bytes. */
const nameBytesMax = 1000

/** Decodes a new segment, which is an operator's command and not a call of the Track API. */
export const decodeSegment = (
  receipt: Receipt,
  { description, name, rule = null }: JsonObject,
): Result.Result<CreateSegment, RejectOperation> => {
  const findings = noFindings()
  const text = requiredText({ field: "name", value: name }, nameBytesMax, findings)
  return text === null
    ? Result.fail(reject(receipt, null, findings.violations))
    : Result.succeed({
        ...envelope("CreateSegment", receipt),
        name: text,
        description: typeof description === "string" ? description : null,
        rule,
        announce: false,
      })
}
