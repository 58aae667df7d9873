import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { useQueryClient } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { DeleteButton } from "../../shared/dialogs/DeleteButton.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { reloadAfterDelete } from "../../shared/dialogs/reloadAfterDelete.ts"

interface DeleteForwardProps {
  readonly w: string
  readonly forward: ForwardDocument
  readonly onGone: () => void
}

/** The button that deletes a forward. */
export const DeleteForward = ({ forward, onGone, w }: DeleteForwardProps) => {
  const queries = useQueryClient()
  const id = forward.forward_id
  return (
    <DeleteButton
      kind="forward"
      name={forward.name}
      onDelete={async () => {
        await api.forwards.delete(w, id)
        notify(`The forward ${forward.name} was deleted.`)
        onGone()
        await reloadAfterDelete(queries, [w, "destinations"], [w, "destinations", id])
      }}
      refusal={useRefusal("forwards.delete")}
    >
      What waits is not sent, and neither are deletions that the receiver was not told yet. The attempts are
      deleted, and the activity log keeps its entries.
    </DeleteButton>
  )
}
