import { useQueryClient } from "@tanstack/react-query"
import type { WorkspaceDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { DeleteButton } from "../../shared/dialogs/DeleteButton.tsx"
import { Group } from "./Group.tsx"

interface DeleteWorkspaceProps {
  readonly workspace: WorkspaceDocument
  /** Opens another workspace. */
  readonly onDeleted: () => Promise<void>
}

/** The part of the settings in which an operator deletes the workspace. */
export const DeleteWorkspace = ({ onDeleted, workspace }: DeleteWorkspaceProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("workspaces.delete")
  return (
    <Group
      help="Deletes the workspace with its people, events, segments, keys and webhooks. A deleted workspace cannot be restored."
      title="Delete this workspace"
    >
      <DeleteButton
        kind="workspace"
        name={workspace.name}
        onDelete={async () => {
          await api.workspaces.delete(workspace.environment_id, { name: workspace.name })
          await onDeleted()
          await queries.invalidateQueries({ queryKey: ["workspaces"] })
        }}
        refusal={refusal}
      >
        Clients that use its keys get status 401 at once, and lose what they do not keep. The server then
        erases all data of the workspace, which can take minutes. Other workspaces do not change.
      </DeleteButton>
    </Group>
  )
}
