import { Schema } from "effect"

/** A person as an explanation names them. */
const NamedPerson = Schema.Struct({
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
}).annotate({ identifier: "NamedPerson", description: "a person with their current identifiers" })
export type NamedPerson = typeof NamedPerson.Type

/** An operation explained in sentences. */
export const ExplanationDocument = Schema.Struct({
  summary: Schema.String,
  /** The clause of the contract that decided the operation. Null if the log entry does not name one. */
  rule: Schema.NullOr(
    Schema.Struct({ rule: Schema.String, title: Schema.String, text: Schema.String }).annotate({
      identifier: "DecidingClause",
      description: "the clause that decided an operation; `text` is Markdown",
    }),
  ),
  advice: Schema.String,
  overridden_by: Schema.Array(Schema.Struct({ path: Schema.String, operation_id: Schema.String })),
  /** The people to whom refused values of the operation belong, by the path of the value. */
  owners: Schema.Array(Schema.Struct({ path: Schema.String, person: NamedPerson })),
  /** The merge that makes the same call succeed, if the two people are one. Null if there is none. */
  merge: Schema.NullOr(Schema.Struct({ primary: NamedPerson, secondary: NamedPerson })),
}).annotate({
  identifier: "Explanation",
  description:
    "what was decided about an operation and what its sender should do; `overridden_by` lists other operations that set the same fields and won, and `owners` the people who have a refused identifier",
})
export type ExplanationDocument = typeof ExplanationDocument.Type
