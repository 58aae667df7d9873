import { queryOptions } from "@tanstack/react-query"
import { api } from "./generated.ts"

/** The largest number of workspaces that a choice of workspaces lists. */
const workspacesListedMax = 200

/** The workspaces that the session may use, oldest first. */
export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: ({ signal }) => api.workspaces.list({ limit: workspacesListedMax, order: "asc" }, signal),
})
