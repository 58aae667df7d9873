import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { Field } from "../../shared/Field.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"

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
    <ModalDialog onClose={onClose} title="Create segment">
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
          label="Name"
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          required
          value={name}
        />
        <Field
          autoComplete="off"
          help="Says who belongs to the segment. Only operators see the description."
          label="Description"
          onChange={(event) => setDescription(event.target.value)}
          value={description}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={name.trim() === "" || create.isPending} tone="primary" type="submit">
            Create segment
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
