import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"

interface NewWorkspaceDialogProps {
  readonly onClose: () => void
  readonly onCreated: (environmentId: number) => void
}

/** Creates a workspace with the default settings. */
export const NewWorkspaceDialog = ({ onClose, onCreated }: NewWorkspaceDialogProps) => {
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const create = useMutation({
    mutationFn: () => api.workspaces.create({ name: name.trim() }),
    onSuccess: async ({ environment_id }) => {
      await queries.invalidateQueries({ queryKey: ["workspaces"] })
      onClose()
      onCreated(environment_id)
    },
  })
  return (
    <FormDialog
      action={create}
      isComplete={name.trim() !== ""}
      onClose={onClose}
      submit="Create workspace"
      title="New workspace"
    >
      <NameField
        autoFocus
        help="A workspace has its own people, events, keys and settings. Workspaces share no data."
        onChange={setName}
        value={name}
      />
    </FormDialog>
  )
}
