import { Schema } from "effect"
import { Sequence, WorkspaceId } from "../values/Identifier.ts"

/** What an alert says: a cause of refusals is new, too many operations are refused, something lags, or a name is silent. */
export const AlertCondition = Schema.Literals(["new_cause", "error_rate", "lag", "silent"])
export type AlertCondition = typeof AlertCondition.Type

/** Something of a workspace that is not well, or was. It contains nothing of a person. */
export const Alert = Schema.Struct({
  workspace: WorkspaceId,
  /** The same whenever the same thing is not well again. */
  alertId: Schema.NonEmptyString,
  condition: AlertCondition,
  /** What it is about: the key of a cause, the kind and name of an event, or what lags. */
  subject: Schema.String,
  /** What is wrong, as a sentence. */
  summary: Schema.String,
  /** The first operation that shows it, or the last of a silent name; null if it is no operation's. */
  operationId: Schema.NullOr(Schema.String),
  beganAt: Schema.Int,
  /** Null while it lasts. */
  endedAt: Schema.NullOr(Schema.Int),
  /** The places of its begin and its end, which are unique in the workspace, and follow the entries that were there then. */
  beganMark: Sequence,
  endedMark: Schema.NullOr(Sequence),
})
export type Alert = typeof Alert.Type

/** An alert that begins. */
export type NewAlert = Omit<Alert, "endedAt" | "beganMark" | "endedMark">
