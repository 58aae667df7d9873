import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { api } from "../../api/generated.ts"
import { usePages, type Pages } from "../../shared/lists/usePages.ts"

/** Reads the keys of a workspace, newest first. */
export const useKeys = (w: string): Pages<KeyDocument> =>
  usePages([w, "keys"], (after, signal, limit) => api.keys.list(w, { after, limit }, signal))
