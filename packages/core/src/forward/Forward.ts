import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import { DeliveryRetry } from "../webhook/Webhook.ts"

/** The API that a forward sends to: the Track API v2, or one of the shape that Segment gave to its batches. */
export const ForwardShape = Schema.Literals(["segment", "track-v2"])
export type ForwardShape = typeof ForwardShape.Type

/**
 * What a forward sends of a call: what was decided, with the identifiers that the person had and the values that were stored,
 * or what was sent, as far as the log keeps it.
 */
export const ForwardedAs = Schema.Literals(["decided", "sent"])
export type ForwardedAs = typeof ForwardedAs.Type

/** The settings of a forward of one workspace. Its key is encrypted ("sealed"). */
export const Forward = Schema.Struct({
  workspace: WorkspaceId,
  forwardId: Schema.NonEmptyString,
  /** Unique in the workspace: the `integrations` of a call choose by it. */
  name: Schema.String,
  to: ForwardShape,
  url: Schema.String,
  /** The filter that selects the entries to send. Null selects all. Deletions and suppressions are sent whatever it says. */
  filter: Schema.NullOr(Schema.String),
  as: ForwardedAs,
  retry: DeliveryRetry,
  /** Whether the forward sends. A disabled one keeps its position in the log. */
  enabled: Schema.Boolean,
  sealedKey: Schema.String,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Forward = typeof Forward.Type

/** The name that `integrations` gives to everything, and that no forward can have. */
export const everyForward = "All"

/** Returns the key under which stores keep the progress, the undelivered events and the attempts of a forward. */
export const deliveryKey = ({ forwardId, workspace }: Pick<Forward, "forwardId" | "workspace">) => ({
  workspace,
  webhookId: forwardId,
})
