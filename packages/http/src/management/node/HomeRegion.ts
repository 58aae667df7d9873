import type { Region } from "@inlet/core/workspace/Workspace"
import { Context } from "effect"

/** The region that this node serves, and the default region of new workspaces. */
export const HomeRegion = Context.Reference<Region>("@inlet/http/management/node/HomeRegion", {
  defaultValue: () => "us",
})
