import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** The largest number of records of one workspace in one millisecond. A further record gets the next millisecond. */
export const auditPositionsPerMs = 64

/**
 * The place of a record among those of its workspace: the time in milliseconds × `auditPositionsPerMs`, plus the place
 * within the millisecond.
 */
export const AuditPosition = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("AuditPosition"))
export type AuditPosition = typeof AuditPosition.Type

/** Returns the first position of a millisecond. */
export const auditPositionAt = (at: EpochMillis): number => Math.max(at * auditPositionsPerMs, 1)

export const auditTimeOf = (position: AuditPosition): EpochMillis =>
  Math.floor(position / auditPositionsPerMs)

/**
 * `begun` is written before the action runs and stays if nobody learned how it ended, for example because the process
 * was killed. `refused` is an answer of 4xx, and `failed` one of 5xx.
 */
export const AuditOutcome = Schema.Literals(["begun", "done", "refused", "failed"])
export type AuditOutcome = typeof AuditOutcome.Type

/** Who acts: a management token, a session of the console that was opened with one, or nobody that is known. */
export const AuditActor = Schema.Struct({
  kind: Schema.Literals(["token", "session", "unknown"]),
  /** The id of a named token, `installation` or `sign_in_link`. */
  id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
})
export type AuditActor = typeof AuditActor.Type

/** A setting that an action has changed. The values of a secret setting are null. */
export const AuditChange = Schema.Struct({
  setting: Schema.String,
  from: Schema.Json,
  to: Schema.Json,
  isSecret: Schema.Boolean,
})
export type AuditChange = typeof AuditChange.Type

const fields = {
  /** Null for an action on the whole installation. */
  workspace: Schema.NullOr(WorkspaceId),
  /** A resource and a verb, such as `key.create`. A text, because a newer version may have written it. */
  action: Schema.String,
  outcome: AuditOutcome,
  /** The status of the answer; null while the action runs. */
  status: Schema.NullOr(Schema.Int),
  actor: AuditActor,
  /** What the action is about, such as a key. Never an identifier of a person. */
  target: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.NullOr(Schema.String) })),
  changes: Schema.Array(AuditChange),
  details: Schema.Record(Schema.String, Schema.Json),
  address: Schema.NullOr(Schema.String),
  /** The beginning of the header `X-Forwarded-For`, whose left part a client can make up. */
  forwardedFor: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String),
  /** The number of requests that the record stands for. More than 1 only for refusals, which are counted. */
  count: Schema.Int,
}

/** A record that the store has not given a position yet. */
export const NewAuditRecord = Schema.Struct(fields)
export type NewAuditRecord = typeof NewAuditRecord.Type

/** One action of management: who did what, from where, when, and how it ended. */
export const AuditRecord = Schema.Struct({ position: AuditPosition, ...fields })
export type AuditRecord = typeof AuditRecord.Type
