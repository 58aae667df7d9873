import { Link } from "@tanstack/react-router"
import { useRefusal } from "../session/useRefusal.ts"

/** Shown in place of every page of a workspace that the session may not use. */
export const ForeignWorkspace = () => (
  <div className="space-y-2 p-4 text-sm">
    <h1 className="text-lg font-semibold">This workspace is closed to your token</h1>
    <p className="text-muted">{useRefusal("workspaces.get")}</p>
    <Link className="text-accent hover:underline" to="/">
      Open your workspace
    </Link>
  </div>
)
