import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { Field } from "../../shared/Field.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"

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
    <ModalDialog onClose={onClose} title="New workspace">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field
          autoComplete="off"
          autoFocus
          error={create.error?.message}
          help="A workspace has its own people, events, keys and settings. Workspaces share no data, and a workspace cannot be deleted."
          label="Name"
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          required
          value={name}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={name.trim() === "" || create.isPending} tone="primary" type="submit">
            Create workspace
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
