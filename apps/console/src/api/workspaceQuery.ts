import { queryOptions } from "@tanstack/react-query"
import { api } from "./generated.ts"

/** The settings of a workspace. */
export const workspaceQuery = (w: string) =>
  queryOptions({
    queryKey: ["workspaces", w],
    queryFn: ({ signal }) => api.workspaces.get(w, signal),
  })
