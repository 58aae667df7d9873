import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Fault } from "@inlethq/core/log/Outcome"
import { envelope } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"
import { requestTexts } from "../texts/wireTexts.ts"

/**
 * Builds the command that records a refused operation in the activity log. `kind` is null if the request does not
 * reveal the kind of operation.
 */
export const reject = (
  receipt: Receipt,
  kind: ActivityKind | null,
  faults: ReadonlyArray<Fault>,
  deduplicationKey: string | null = null,
): RejectOperation => ({ ...envelope("RejectOperation", receipt, { deduplicationKey, faults }), kind })

/** Returns the fault of a body, or of an item of a batch, that is valid JSON but not an object (contract §4). */
export const notAnObject = (batchIndex: number | null = null): Fault =>
  batchIndex === null ? requestTexts.bodyNotObject("") : requestTexts.itemNotObject("")

/** Returns the fault of a body or an item that is larger than `bytes` (contract §5). */
export const tooLarge = (bytes: number): Fault => requestTexts.tooLarge("", { bytes })
