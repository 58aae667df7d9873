import type { Command } from "@inlethq/core/Command"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { capFaults } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"

/** The optional parts of a command's envelope. */
export interface EnvelopeOptions {
  /** The time of the operation. If missing or null, the time of receipt is used. */
  readonly at?: EpochMillis | null
  /**
   * True if `at` was computed from the time of receipt. The default is true if `at` is missing, and false otherwise.
   */
  readonly followsReceipt?: boolean
  readonly originalTimestamp?: EpochMillis | null
  readonly deduplicationKey?: string | null
  /** A fault for each value that decoding left out. */
  readonly faults?: ReadonlyArray<Fault>
}

const noOptions: EnvelopeOptions = {}
const noFaults: ReadonlyArray<Fault> = []

/** Returns true if the operation's time was computed from the time of receipt, and false if it is the client's time. */
export const followsReceipt = ({ at, followsReceipt }: EnvelopeOptions): boolean =>
  followsReceipt ?? (at ?? null) === null

/**
 * Returns the tag of a command and the fields that every command has. Callers must spread the result at the beginning
 * of an object literal, because V8 copies only the first spread in one step.
 */
export const envelope = <Tag extends Command["_tag"]>(
  tag: Tag,
  receipt: Receipt,
  options: EnvelopeOptions = noOptions,
): Envelope & { readonly _tag: Tag } => ({
  _tag: tag,
  workspace: receipt.workspace,
  source: receipt.source,
  receivedAt: receipt.receivedAt,
  at: options.at ?? receipt.receivedAt,
  followsReceipt: followsReceipt(options),
  originalTimestamp: options.originalTimestamp ?? null,
  batchIndex: receipt.batchIndex,
  deduplicationKey: options.deduplicationKey ?? null,
  sender: receipt.workspace.sender ?? null,
  faults: capFaults(options.faults ?? noFaults),
})
