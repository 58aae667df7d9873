import type { Command } from "@inlethq/core/Command"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { restOfTrackV1, withOmitted } from "../decoding/omitted.ts"
import { planned } from "../decoding/planned.ts"
import { refuseBroken } from "../decoding/readOtherwise.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { withSent } from "../decoding/sentCall.ts"

/** Decodes a call with the decoder of its endpoint, which gets the body without what the workspace omits. */
export const decodeTrackV1 = <A>(
  receipt: Receipt,
  kind: ActivityKind | null,
  sent: A,
  decode: (body: A | JsonObject) => Result.Result<Command, RejectOperation>,
): Result.Result<Command, RejectOperation> => {
  const { omitted, rest: body } = restOfTrackV1(receipt.workspace, kind, sent)
  const decoded = planned(receipt, refuseBroken(receipt, decode(body), body), "data")
  return Result.mapBoth(decoded, {
    onSuccess: (command) => withOmitted(withSent(receipt, command, body), omitted),
    onFailure: (refusal) => withOmitted(withSent(receipt, refusal, body), omitted),
  })
}
