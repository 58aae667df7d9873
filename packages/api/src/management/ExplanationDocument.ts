import { Schema } from "effect"

/** An operation explained in sentences. */
export const ExplanationDocument = Schema.Struct({
  summary: Schema.String,
  /** The rule that decided the operation. Null if the log entry does not name a rule. */
  rule: Schema.NullOr(
    Schema.Struct({ rule: Schema.String, title: Schema.String, text: Schema.String }).annotate({
      identifier: "DecidingRule",
      description: "the rule that decided an operation; `text` is Markdown",
    }),
  ),
  advice: Schema.String,
  overridden_by: Schema.Array(Schema.Struct({ path: Schema.String, operation_id: Schema.String })),
}).annotate({
  identifier: "Explanation",
  description:
    "what was decided about an operation and what its sender should do; `overridden_by` lists other operations that set the same fields and won",
})
export type ExplanationDocument = typeof ExplanationDocument.Type
