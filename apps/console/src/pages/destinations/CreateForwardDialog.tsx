import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { ForwardFields, settingsOf, type ForwardDraft } from "./ForwardFields.tsx"

const shapes: ReadonlyArray<Choice<ForwardDocument["to"]>> = [
  { value: "track-v2", label: "Track API v2", help: "A hosted workspace, or another Inlet." },
  {
    value: "segment",
    label: "Segment",
    help: "An API that takes batches in the shape of Segment, such as RudderStack, Jitsu or the Pipelines API.",
  },
]

const emptyDraft: ForwardDraft = {
  name: "",
  to: "track-v2",
  url: "",
  key: "",
  filter: "",
  as: "decided",
  retry: "quick",
}

interface CreateForwardDialogProps {
  readonly w: string
  readonly onCreated: (forwardId: string) => void
  readonly onClose: () => void
}

/** Creates a forward, which sends what arrives from then on. */
export const CreateForwardDialog = ({ onClose, onCreated, w }: CreateForwardDialogProps) => {
  const [draft, setDraft] = useState(emptyDraft)
  const create = useChange({
    call: () => api.forwards.create(w, { ...settingsOf(draft), to: draft.to, key: draft.key.trim() }),
    outdates: [w, "destinations"],
    said: ({ name }) => `The forward ${name} sends what arrives from now on.`,
    onDone: ({ forward_id }) => {
      onClose()
      onCreated(forward_id)
    },
  })
  return (
    <FormDialog action={create} onClose={onClose} submit="Create forward" title="Create forward">
      <ChoiceField
        choices={shapes}
        label="Sends to"
        onChange={(to) => setDraft({ ...draft, to })}
        value={draft.to}
      />
      <ForwardFields
        draft={draft}
        hasKey={false}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  )
}
