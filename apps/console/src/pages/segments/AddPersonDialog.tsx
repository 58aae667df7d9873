import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { PersonPicker } from "../../shared/fields/PersonPicker.tsx"

interface AddPersonDialogProps {
  readonly w: string
  readonly segmentId: string
  readonly onClose: () => void
}

/** Adds the person that the operator chooses to a segment. */
export const AddPersonDialog = ({ onClose, segmentId, w }: AddPersonDialogProps) => {
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: (personId: string) => api.segments.addPerson(w, segmentId, personId),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [w, "segments"] })
      notify("The person was added to the segment.")
      onClose()
    },
  })
  return (
    <ModalDialog onClose={onClose} title="Add a person to the segment">
      <PersonPicker label="Person to add" onPick={({ svc_id }) => add.mutate(svc_id)} w={w} />
      <ActionError error={add.error} />
    </ModalDialog>
  )
}
