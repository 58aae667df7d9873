import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Argument } from "effect/cli"

export const workspaceArgument = Argument.Int("number").pipe(
  Argument.withDescription("The environment id of the workspace"),
  Argument.withSchema(WorkspaceId),
)
