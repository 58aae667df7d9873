import { SubjectKey } from "@inlethq/core/values/Identifier"
import { Argument } from "effect/cli"

export const segmentArgument = Argument.Int("segment").pipe(
  Argument.withDescription("The id of the segment"),
  Argument.withSchema(SubjectKey),
)
