import type { Command } from "@inlet/core/Command"
import type { Envelope } from "@inlet/core/Envelope"
import type { Fault } from "@inlet/core/log/Outcome"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { capFaults } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"

/** The optional parts of a command's envelope. */
export interface EnvelopeOptions {
  /** The operation's own time. The time of receipt is used if it is missing or null. */
  readonly at?: EpochMillis | null
  /** Whether `at` was computed from the time of receipt. By default it is true if `at` is missing. */
  readonly followsReceipt?: boolean
  readonly originalTimestamp?: EpochMillis | null
  readonly deduplicationKey?: string | null
  /** Values that decoding left out. */
  readonly faults?: ReadonlyArray<Fault>
}

const noOptions: EnvelopeOptions = {}
const noFaults: ReadonlyArray<Fault> = []

/** Whether the operation's time was computed from the time of receipt and not given by the client. */
export const followsReceipt = ({ at, followsReceipt }: EnvelopeOptions): boolean =>
  followsReceipt ?? (at ?? null) === null

/**
 * Returns the tag of a command and the fields that every command has. Spread it first: V8 copies a spread in one step
 * only if it is the first part of an object literal.
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
  faults: capFaults(options.faults ?? noFaults),
})
