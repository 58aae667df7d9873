import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { ForwardFields, settingsOf, type ForwardDraft } from "./ForwardFields.tsx"

interface EditForwardDialogProps {
  readonly w: string
  readonly forward: ForwardDocument
  readonly onClose: () => void
}

const draftOf = ({ as, filter, name, retry, to, url }: ForwardDocument): ForwardDraft => ({
  name,
  to,
  url,
  key: "",
  filter: filter ?? "",
  as,
  retry,
})

/** Edits the settings of a forward. What waits is sent with the new ones. */
export const EditForwardDialog = ({ forward, onClose, w }: EditForwardDialogProps) => {
  const [draft, setDraft] = useState(() => draftOf(forward))
  const key = draft.key.trim()
  const save = useChange({
    call: () =>
      api.forwards.update(w, forward.forward_id, {
        ...settingsOf(draft),
        ...(key === "" ? {} : { key }),
      }),
    outdates: [w, "destinations"],
    said: ({ name }) => `The forward ${name} was saved.`,
    onDone: onClose,
  })
  return (
    <FormDialog action={save} onClose={onClose} submit="Save changes" title={`Edit ${forward.name}`}>
      <ForwardFields
        draft={draft}
        hasKey
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  )
}
