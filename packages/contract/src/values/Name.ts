import { Schema } from "effect"

/** The name of a workspace, a key or a segment. */
export const Name = Schema.String.check(
  Schema.isPattern(/\S/, { expected: "a name that is not blank" }),
  Schema.isMaxLength(200),
).annotate({ description: "1 to 200 characters, at least one of them not blank" })
