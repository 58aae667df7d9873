import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { useQueryClient } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { ExactTime } from "../../shared/time/Time.tsx"
import { apiOf } from "./kinds.ts"

interface RevokeKeyDialogProps {
  readonly w: string
  readonly apiKey: KeyDocument
  readonly onClose: () => void
}

/** Shows a key and revokes it after the operator has typed its name. */
export const RevokeKeyDialog = ({ apiKey, onClose, w }: RevokeKeyDialogProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("keys.revoke")
  return (
    <ConfirmDialog
      action="Revoke key"
      identifier={apiKey.name}
      onClose={onClose}
      onConfirm={async () => {
        await api.keys.revoke(w, apiKey.key_id)
        notify(`The key ${apiKey.name} was revoked.`)
        await queries.invalidateQueries({ queryKey: [w, "keys"] })
      }}
      refusal={refusal}
      title={apiKey.name}
    >
      <div className="space-y-4">
        <Facts
          facts={[
            ["For", apiOf[apiKey.kind]],
            ["Key ID", <CopyId id={apiKey.key_id} key="key" label="key ID" />],
            [
              "Site ID",
              apiKey.site_id === null ? null : <CopyId id={apiKey.site_id} key="site" label="site ID" />,
            ],
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
            [
              "Expires",
              apiKey.expires_at === null ? "never" : <ExactTime at={apiKey.expires_at} key="expires" />,
            ],
          ]}
        />
        <p>
          Within a second after you revoke the key, clients that use it get status 401 and lose what they do
          not keep. A revoked key cannot be restored. Data that was sent with it stays.
        </p>
      </div>
    </ConfirmDialog>
  )
}
