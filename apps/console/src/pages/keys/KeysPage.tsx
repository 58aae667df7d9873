import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { CreateKeyDialog } from "./CreateKeyDialog.tsx"
import { apiOf } from "./kinds.ts"
import { useKeys } from "./useKeys.ts"

const columns: ReadonlyArray<Column<KeyDocument>> = [
  { key: "name", header: "Name", width: "minmax(88px, 2fr)", text: ({ name }) => name },
  { key: "kind", header: "For", width: "104px", text: ({ kind }) => apiOf[kind] },
  {
    key: "site",
    header: "Site ID",
    width: "minmax(120px, 2fr)",
    showFrom: 640,
    text: ({ site_id }) => site_id ?? "",
    cell: ({ site_id }) => (site_id === null ? null : <CopyId id={site_id} label="site ID" />),
  },
  {
    key: "prefix",
    header: "Begins with",
    width: "104px",
    showFrom: 480,
    text: ({ prefix }) => prefix ?? "",
    cell: ({ prefix }) =>
      prefix === null ? (
        <span
          className="text-muted"
          title="The key is too short, or was made before Inlet stored how keys begin"
        >
          not shown
        </span>
      ) : (
        <span className="font-mono text-xs">{prefix}…</span>
      ),
  },
  timeColumn(
    { key: "created", header: "Created", width: "112px", showFrom: 900 },
    ({ created_at }) => created_at,
  ),
  timeColumn({ key: "used", header: "Last used", width: "96px" }, ({ last_used_at }) => last_used_at),
  timeColumn(
    { key: "expires", header: "Expires", width: "112px", showFrom: 768 },
    ({ expires_at }) => expires_at,
  ),
]

/** The keys with which clients send data, and with which programs read it. A secret is shown once, when its key is created. */
export const KeysPage = () => {
  const w = useWorkspace()
  const [isCreating, setIsCreating] = useState(false)
  const navigate = useNavigate()
  const { keyId } = useParams({ strict: false })
  const { key } = useSearch({ from: "/w/$w/keys" })
  const refusal = useRefusal("keys.create")
  const pages = useKeys(w)
  return (
    <CollectionPage
      actions={
        <>
          <Link
            className="flex h-8 items-center rounded-md px-3 text-sm font-medium text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11"
            params={{ w }}
            to="/w/$w/start"
          >
            Send an event
          </Link>
          <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
            Create key
          </Button>
        </>
      }
      columns={columns}
      empty={
        <EmptyState title="No keys">
          Clients cannot send data to this workspace until it has a key. Create a Track key for clients that
          use a site ID with an API key, or a write key for clients of the Pipelines API. An app key only
          reads.
        </EmptyState>
      }
      onOpen={({ key_id }) => void navigate({ to: "/w/$w/keys/$keyId", params: { w, keyId: key_id } })}
      openKey={keyId}
      pages={pages}
      rowKey={({ key_id }) => key_id}
      startKey={key}
      title="Keys"
    >
      {isCreating ? <CreateKeyDialog onClose={() => setIsCreating(false)} w={w} /> : null}
    </CollectionPage>
  )
}
