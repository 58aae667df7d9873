import { Data, Schema } from "effect"

/** Kafka did not accept messages, or cannot be reached. `message` says why. */
export class KafkaFailed extends Data.TaggedError("KafkaFailed")<{
  readonly message: string
  /** The name of the error in Kafka or in its client library, such as `TOPIC_ALREADY_EXISTS`; null if it has no name. */
  readonly code: string | null
}> {}

/** What the errors of the client library have in common. They nest as causes and as lists of errors. */
const Nested = Schema.Struct({
  message: Schema.String,
  apiId: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Unknown),
  errors: Schema.optionalKey(Schema.Array(Schema.Unknown)),
})
const isNested = Schema.is(Nested)

/** The deepest nesting that is searched. */
const depthMax = 8

/**
 * Finds the innermost error, because the outer ones only say that an operation failed. Of several errors, the last one
 * counts, because it belongs to the last attempt.
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
