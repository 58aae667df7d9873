import type { ActivityKind } from "@inlet/core/Activity"
import type { RejectOperation } from "@inlet/core/Command"
import type { Fault, FaultReason } from "@inlet/core/Outcome"
import { envelope } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"

/** The command that records a refusal, so that operators see it; `kind` is null where it could not be told. */
export const reject = (
  receipt: Receipt,
  kind: ActivityKind | null,
  faults: ReadonlyArray<Fault>,
  deduplicationKey: string | null = null,
): RejectOperation => ({ ...envelope("RejectOperation", receipt, { deduplicationKey, faults }), kind })

/** A part of a request that is refused: for one of the reasons that answers give. */
export const fault = (reason: Exclude<FaultReason, "stale">, field: string, message: string): Fault => ({
  reason,
  field,
  message,
})

/** A body, or an item of a batch, that is valid JSON and no object (contract §4). */
export const notAnObject = (batchIndex: number | null = null): Fault =>
  fault("invalid", "", `the ${batchIndex === null ? "body" : "item"} must be a JSON object`)

/** A body or an item of more bytes than are taken (contract §5). */
export const tooLarge = (bytesMax: number): Fault =>
  fault("too_large", "", `the request cannot be larger than ${bytesMax} bytes`)
