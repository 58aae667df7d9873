import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface NewWorkspaceDialogProps {
  readonly onClose: () => void
  readonly onCreated: (environmentId: number) => void
}

/** Creates a workspace with the default settings. */
export const NewWorkspaceDialog = ({ onClose, onCreated }: NewWorkspaceDialogProps) => {
  const [name, setName] = useState("")
  const create = useChange({
    call: () => api.workspaces.create({ name: name.trim() }),
    outdates: ["workspaces"],
    onDone: ({ environment_id }) => {
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
