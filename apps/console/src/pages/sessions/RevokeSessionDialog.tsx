import type { SessionRow } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { RevokeDialog } from "../../shared/dialogs/RevokeDialog.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { openedBy, rightsText } from "./sessionTexts.ts"

interface RevokeSessionDialogProps {
  readonly session: SessionRow
  readonly onClose: () => void
}

/** Shows a session and revokes it. */
export const RevokeSessionDialog = ({ onClose, session }: RevokeSessionDialogProps) => (
  <RevokeDialog
    refusal={useRefusal("sessions.revoke")}
    effect={`${session.current ? "This is your own session. " : ""}Within a second the browser is signed out on every node. Whoever may sign in can do so again.`}
    facts={[
      ["Opened by", openedBy(session)],
      ["May", rightsText(session)],
      ["Principal", <CopyId id={session.principal_id} key="principal" label="principal" />],
      ["Session ID", <CopyId id={session.session_id} key="id" label="session ID" />],
      ["Signed in", <ExactTime at={session.created_at} key="created" />],
      ["Ends", <ExactTime at={session.expires_at} key="expires" />],
    ]}
    isTyped={false}
    name={session.name}
    onClose={onClose}
    outdates={["sessions"]}
    revoke={() => api.sessions.revoke(session.session_id)}
    said={`The session of ${session.name} was revoked.`}
    thing="session"
  />
)
