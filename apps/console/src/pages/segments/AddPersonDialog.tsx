import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { PersonPicker } from "../../shared/fields/PersonPicker.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { segmentKeys } from "./segmentQueries.ts"

interface AddPersonDialogProps {
  readonly w: string
  readonly segmentId: string
  readonly onClose: () => void
}

/** Adds the person that the operator chooses to a segment. */
export const AddPersonDialog = ({ onClose, segmentId, w }: AddPersonDialogProps) => {
  const add = useChange({
    call: (personId: string) => api.segments.addPerson(w, segmentId, personId),
    outdates: segmentKeys.all(w),
    said: () => "The person was added to the segment.",
    onDone: onClose,
  })
  return (
    <ModalDialog onClose={onClose} title="Add a person to the segment">
      <PersonPicker label="Person to add" onPick={({ svc_id }) => add.mutate(svc_id)} w={w} />
      <ActionError error={add.error} />
    </ModalDialog>
  )
}
