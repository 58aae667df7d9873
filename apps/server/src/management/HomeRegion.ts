import type { Region } from "@inlet/core/workspace/Workspace"
import { Context } from "effect"

/** The region that this node serves: that of a new workspace which names none. */
export const HomeRegion = Context.Reference<Region>("@inlet/server/management/HomeRegion", {
  defaultValue: () => "us",
})
