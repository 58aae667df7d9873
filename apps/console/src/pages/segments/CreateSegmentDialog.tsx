import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { Field } from "../../shared/Field.tsx"
import { FormDialog } from "../../shared/FormDialog.tsx"
import { NameField } from "../../shared/NameField.tsx"

interface CreateSegmentDialogProps {
  readonly w: string
  readonly onCreated: (segmentId: number) => void
  readonly onClose: () => void
}

/** Creates an empty manual segment. */
export const CreateSegmentDialog = ({ onClose, onCreated, w }: CreateSegmentDialogProps) => {
  const queries = useQueryClient()
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  const create = useMutation({
    mutationFn: () =>
      api.segments.create(w, {
        name: name.trim(),
        ...(description.trim() === "" ? {} : { description: description.trim() }),
      }),
    onSuccess: async ({ segment_id }) => {
      await queries.invalidateQueries({ queryKey: [w, "segments"] })
      onClose()
      onCreated(segment_id)
    },
  })
  return (
    <FormDialog
      action={create}
      isComplete={name.trim() !== ""}
      onClose={onClose}
      submit="Create segment"
      title="Create segment"
    >
      <NameField autoFocus onChange={setName} value={name} />
      <Field
        autoComplete="off"
        help="Says who belongs to the segment. Only operators see the description."
        label="Description"
        onChange={(event) => setDescription(event.target.value)}
        value={description}
      />
    </FormDialog>
  )
}
