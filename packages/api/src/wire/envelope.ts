import type { Command, Envelope } from "@inlet/core/Command"
import type { Fault } from "@inlet/core/Outcome"
import type { EpochMillis } from "@inlet/core/Timestamp"
import { bounded } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"

/** What an operation says of itself besides what it asks for. */
export interface EnvelopeOptions {
  /** The operation's own time; that of its receipt where it is left out. */
  readonly at?: EpochMillis
  readonly originalTimestamp?: EpochMillis | null
  readonly deduplicationKey?: string | null
  /** What was left out of it already. */
  readonly faults?: ReadonlyArray<Fault>
}

const noOptions: EnvelopeOptions = {}
const noFaults: ReadonlyArray<Fault> = []

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
  originalTimestamp: options.originalTimestamp ?? null,
  batchIndex: receipt.batchIndex,
  deduplicationKey: options.deduplicationKey ?? null,
  faults: bounded(options.faults ?? noFaults),
})
