import type { Region } from "@inlethq/core/workspace/Workspace"
import { Context } from "effect"

/** The region that this node serves, and the default region of new workspaces. */
export const HomeRegion = Context.Reference<Region>("@inlethq/http/management/node/HomeRegion", {
  defaultValue: () => "us",
})
