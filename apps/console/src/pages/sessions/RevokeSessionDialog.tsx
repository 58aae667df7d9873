import { useQueryClient } from "@tanstack/react-query"
import type { SessionRow } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { openedBy, rightsText } from "./sessionTexts.ts"

interface RevokeSessionDialogProps {
  readonly session: SessionRow
  readonly onClose: () => void
}

/** Shows a session and revokes it. */
export const RevokeSessionDialog = ({ onClose, session }: RevokeSessionDialogProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("sessions.revoke")
  return (
    <ConfirmDialog
      action="Revoke session"
      onClose={onClose}
      onConfirm={async () => {
        await api.sessions.revoke(session.session_id)
        notify(`The session of ${session.name} was revoked.`)
        await queries.invalidateQueries({ queryKey: ["sessions"] })
      }}
      refusal={refusal}
      title={session.name}
    >
      <div className="space-y-4">
        <Facts
          facts={[
            ["Opened by", openedBy(session)],
            ["May", rightsText(session)],
            ["Principal", <CopyId id={session.principal_id} key="principal" label="principal" />],
            ["Session ID", <CopyId id={session.session_id} key="id" label="session ID" />],
            ["Signed in", <ExactTime at={session.created_at} key="created" />],
            ["Ends", <ExactTime at={session.expires_at} key="expires" />],
          ]}
        />
        <p>
          {session.current ? "This is your own session. " : ""}
          Within a second the browser is signed out on every node. Whoever may sign in can do so again.
        </p>
      </div>
    </ConfirmDialog>
  )
}
