import type { OpenedWorkspace } from "@inlethq/wire/decoding/Receipt"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Context, Effect } from "effect"

/** Adds to a workspace the sender of the management request that runs. Nothing is added outside of one. */
export const RequestSender = Context.Reference<(workspace: Workspace) => Effect.Effect<OpenedWorkspace>>(
  "@inlethq/http/access/sentNow/RequestSender",
  { defaultValue: () => Effect.succeed },
)

/** Returns a workspace with the sender of the management request that runs, which its log entries then name. */
export const sentNow = (workspace: Workspace): Effect.Effect<OpenedWorkspace> =>
  Effect.flatMap(RequestSender, (add) => add(workspace))
