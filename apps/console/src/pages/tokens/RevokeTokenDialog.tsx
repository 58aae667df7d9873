import type { TokenDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { RevokeDialog } from "../../shared/dialogs/RevokeDialog.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { workspacesText } from "./tokenTexts.ts"

interface RevokeTokenDialogProps {
  readonly token: TokenDocument
  readonly onClose: () => void
}

/** Shows a token and revokes it after the operator has typed its name. */
export const RevokeTokenDialog = ({ onClose, token }: RevokeTokenDialogProps) => (
  <RevokeDialog
    refusal={useRefusal("tokens.revoke")}
    effect="Within a second after you revoke the token, programs that use it get status 401, and browsers that signed in with it are signed out. A revoked token cannot be restored."
    facts={[
      ["Scope", token.scope],
      ["Workspaces", workspacesText(token)],
      ["Token ID", <CopyId id={token.token_id} key="id" label="token ID" />],
      [
        "Token",
        <span className="font-mono text-xs" key="prefix">
          {token.prefix}…
        </span>,
      ],
      ["Created", <ExactTime at={token.created_at} key="created" />],
      ["Last used", token.last_used_at === null ? "never" : <ExactTime at={token.last_used_at} key="used" />],
      ["Expires", token.expires_at === null ? "never" : <ExactTime at={token.expires_at} key="expires" />],
    ]}
    isTyped
    name={token.name}
    onClose={onClose}
    outdates={["tokens"]}
    revoke={() => api.tokens.revoke(token.token_id)}
    said={`The token ${token.name} was revoked.`}
    thing="token"
  />
)
