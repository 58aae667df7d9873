import { withLaterSettings, Workspace } from "@inlethq/core/workspace/Workspace"
import { Schema } from "effect"

const decodeWorkspace = Schema.decodeUnknownSync(Workspace)

/**
 * Decodes the row of a workspace: its id and the JSON document of its settings. A setting or a limit that did not exist
 * when the row was written gets its default.
 */
export const workspaceFromRow = (id: unknown, doc: string): Workspace => {
  const settings: object = JSON.parse(doc)
  return decodeWorkspace({ ...withLaterSettings(settings), id })
}
