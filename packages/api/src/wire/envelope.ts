import type { Command } from "@inlet/core/Command"
import type { Envelope } from "@inlet/core/Envelope"
import type { Fault } from "@inlet/core/log/Outcome"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { bounded } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"

/** What an operation says of itself besides what it asks for. */
export interface EnvelopeOptions {
  /** The operation's own time; that of its receipt where it is left out or null. */
  readonly at?: EpochMillis | null
  /** Whether `at` was reckoned from the time of receipt; false for an `at` that is given, unless this says otherwise. */
  readonly followsReceipt?: boolean
  readonly originalTimestamp?: EpochMillis | null
  readonly deduplicationKey?: string | null
  /** What was left out of it already. */
  readonly faults?: ReadonlyArray<Fault>
}

const noOptions: EnvelopeOptions = {}
const noFaults: ReadonlyArray<Fault> = []

/** Whether an operation's time was reckoned from that of its receipt, and not stated by the client. */
export const followsReceipt = ({ at, followsReceipt }: EnvelopeOptions): boolean =>
  followsReceipt ?? (at ?? null) === null

/**
 * The tag of a command and what every command carries. Commands spread it before anything else: only an object that
 * begins with a spread is copied in one go.
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
  faults: bounded(options.faults ?? noFaults),
})
