import { Data, Schema } from "effect"

/**
 * The error for messages that Kafka did not accept, or for Kafka brokers that cannot be reached. `message` gives the
 * reason.
 */
export class KafkaFailed extends Data.TaggedError("KafkaFailed")<{
  readonly message: string
  /**
   * The name of the error in Kafka or in its client library, such as `TOPIC_ALREADY_EXISTS`, or null if the error has
   * no name.
   */
  readonly code: string | null
}> {}

/** The fields that all errors of the client library have. Errors contain other errors, as causes or in lists. */
const Nested = Schema.Struct({
  message: Schema.String,
  apiId: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Unknown),
  errors: Schema.optionalKey(Schema.Array(Schema.Unknown)),
})
const isNested = Schema.is(Nested)

/** The largest number of levels to which `innermostError` follows nested errors. */
const depthMax = 8

/**
 * Returns the innermost error, because the outer errors only say that an operation failed. If an error contains several
 * errors, follows the last of them, because the last error belongs to the last attempt.
 */
export const innermostError = (
  error: unknown,
  depth = 0,
): { readonly reason: string; readonly code: string | null } => {
  if (!isNested(error)) return { reason: String(error), code: null }
  const inner = error.errors?.at(-1) ?? error.cause
  if (inner !== undefined && inner !== null && depth < depthMax) return innermostError(inner, depth + 1)
  return { reason: error.message, code: error.apiId ?? error.code ?? null }
}
