import { Argument } from "effect/cli"

/** The argument that selects a forward by its id. */
export const forwardArgument = Argument.String("forward_id").pipe(
  Argument.withDescription("The id that `inlet forwards list` shows"),
)
