import type { IssuedKey, KeyDocument } from "@inlet/api/management/Keys"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/api.ts"
import { Button } from "../../shared/Button.tsx"
import { Field } from "../../shared/Field.tsx"
import { ModalDialog } from "../../shared/ModalDialog.tsx"
import { ChoiceField, type Choice } from "../../shared/ChoiceField.tsx"
import { IssuedKeyView } from "./IssuedKeyView.tsx"

const kinds: ReadonlyArray<Choice<KeyDocument["kind"]>> = [
  {
    value: "track",
    label: "Track API",
    help: "Clients send a site ID with an API key. The mobile and server libraries of the hosted service use it.",
  },
  {
    value: "pipelines",
    label: "Pipelines API",
    help: "Clients send a write key. Libraries that are compatible with Segment use it.",
  },
]

interface CreateKeyDialogProps {
  readonly w: string
  readonly onClose: () => void
}

/** Creates a key, then shows its secret until the dialog is closed. */
export const CreateKeyDialog = ({ onClose, w }: CreateKeyDialogProps) => {
  const queries = useQueryClient()
  const [kind, setKind] = useState<KeyDocument["kind"]>("track")
  const [name, setName] = useState("")
  const create = useMutation({
    mutationFn: () => api.keys.create(w, { kind, name: name.trim() }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [w, "keys"] }),
  })
  const issued: IssuedKey | undefined = create.data
  if (issued !== undefined) {
    return (
      <ModalDialog onClose={onClose} title={`Key “${issued.name}” is ready`}>
        <IssuedKeyView issued={issued} />
        <div className="flex justify-end pt-4">
          <Button onClick={onClose} tone="primary">
            Done
          </Button>
        </div>
      </ModalDialog>
    )
  }
  return (
    <ModalDialog onClose={onClose} title="Create key">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <ChoiceField choices={kinds} label="For" onChange={setKind} value={kind} />
        <Field
          autoComplete="off"
          autoFocus
          error={create.error?.message}
          help="Only operators see the name. Name the client that will use the key, such as “checkout service”."
          label="Name"
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          required
          value={name}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={name.trim() === "" || create.isPending} tone="primary" type="submit">
            Create key
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
