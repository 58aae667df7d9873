import type { Command } from "@inlethq/core/Command"
import { quoteValue } from "@inlethq/core/log/ErrorText"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { decodeMembership } from "../track-v1/segments.ts"
import { decodeEntity } from "../track-v2/entity.ts"
import { requestTexts } from "../texts/wireTexts.ts"
import { isAbsent, required } from "../decoding/fieldValues.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { reject } from "../decoding/reject.ts"

/**
 * Decodes an operation that an operator asks for: an entity of the Track API v2 (track-api §4.2), or a segment call of
 * the Track API v1 (track-api §4.3 rule 2) with `type`, `action`, `segment_id`, `id_type` and `ids`, because v2 has no
 * segments.
 */
export const decodeOperation = (
  receipt: Receipt,
  requested: JsonObject,
): Result.Result<Command, RejectOperation> =>
  requested["type"] === "segment" ? decodeSegment(receipt, requested) : decodeEntity(receipt, requested)

const decodeSegment = (
  receipt: Receipt,
  { action, id_type = "id", segment_id, ...body }: JsonObject,
): Result.Result<Command, RejectOperation> => {
  if (action !== "add" && action !== "remove") {
    const fault = isAbsent(action)
      ? required("action")
      : requestTexts.unknownAction("action", {
          action: quoteValue(action),
          type: "segment",
          actions: "add, remove",
        })
    return Result.fail(reject(receipt, null, [fault]))
  }
  const query = new URLSearchParams({ id_type: String(id_type) }).toString()
  return decodeMembership(receipt, action, String(segment_id), query, body)
}
