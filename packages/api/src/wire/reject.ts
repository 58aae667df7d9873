import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import type { RejectOperation } from "@inlet/core/operation/commands"
import type { Fault } from "@inlet/core/log/Outcome"
import { envelope } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"
import { requestFaults } from "./faults.ts"

/** The command that records a refusal, so that operators see it; `kind` is null where it could not be told. */
export const reject = (
  receipt: Receipt,
  kind: ActivityKind | null,
  faults: ReadonlyArray<Fault>,
  deduplicationKey: string | null = null,
): RejectOperation => ({ ...envelope("RejectOperation", receipt, { deduplicationKey, faults }), kind })

/** A body, or an item of a batch, that is valid JSON and no object (contract §4). */
export const notAnObject = (batchIndex: number | null = null): Fault =>
  batchIndex === null ? requestFaults.bodyNotObject("") : requestFaults.itemNotObject("")

/** A body or an item of more bytes than are taken (contract §5). */
export const tooLarge = (bytes: number): Fault => requestFaults.tooLarge("", { bytes })
