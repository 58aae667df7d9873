import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { RevokeDialog } from "../../shared/dialogs/RevokeDialog.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { apiOf } from "./kinds.ts"

interface RevokeKeyDialogProps {
  readonly w: string
  readonly apiKey: KeyDocument
  readonly onClose: () => void
}

/** Shows a key and revokes it after the operator has typed its name. */
export const RevokeKeyDialog = ({ apiKey, onClose, w }: RevokeKeyDialogProps) => (
  <RevokeDialog
    refusal={useRefusal("keys.revoke")}
    effect="Within a second after you revoke the key, clients that use it get status 401 and lose what they do not keep. A revoked key cannot be restored. Data that was sent with it stays."
    facts={[
      ["For", apiOf[apiKey.kind]],
      ["Key ID", <CopyId id={apiKey.key_id} key="key" label="key ID" />],
      ["Site ID", apiKey.site_id === null ? null : <CopyId id={apiKey.site_id} key="site" label="site ID" />],
      [
        apiKey.kind === "track" ? "API key" : "Write key",
        apiKey.prefix === null ? null : (
          <span className="font-mono text-xs" key="prefix">
            {apiKey.prefix}…
          </span>
        ),
      ],
      ["Created", <ExactTime at={apiKey.created_at} key="created" />],
      [
        "Last used",
        apiKey.last_used_at === null ? "never" : <ExactTime at={apiKey.last_used_at} key="used" />,
      ],
      ["Expires", apiKey.expires_at === null ? "never" : <ExactTime at={apiKey.expires_at} key="expires" />],
    ]}
    isTyped
    name={apiKey.name}
    onClose={onClose}
    outdates={[w, "keys"]}
    revoke={() => api.keys.revoke(w, apiKey.key_id)}
    said={`The key ${apiKey.name} was revoked.`}
    thing="key"
  />
)
