import { useState } from "react"
import type { TokenDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { RefusedPage } from "../../shared/lists/ListPage.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { CreateTokenDialog } from "./CreateTokenDialog.tsx"
import { RevokeTokenDialog } from "./RevokeTokenDialog.tsx"
import { workspacesText } from "./tokenTexts.ts"

const columns: ReadonlyArray<Column<TokenDocument>> = [
  { key: "name", header: "Name", width: "minmax(112px, 2fr)", text: ({ name }) => name },
  { key: "scope", header: "Scope", width: "64px", text: ({ scope }) => scope },
  { key: "workspaces", header: "Workspaces", width: "minmax(80px, 1fr)", text: workspacesText },
  {
    key: "prefix",
    header: "Begins with",
    width: "120px",
    showFrom: 768,
    text: ({ prefix }) => prefix,
    cell: ({ prefix }) => <span className="font-mono text-xs">{prefix}…</span>,
  },
  timeColumn(
    { key: "created", header: "Created", width: "112px", showFrom: 900 },
    ({ created_at }) => created_at,
  ),
  timeColumn(
    { key: "used", header: "Last used", width: "112px", showFrom: 480 },
    ({ last_used_at }) => last_used_at,
  ),
  timeColumn(
    { key: "expires", header: "Expires", width: "112px", showFrom: 640 },
    ({ expires_at }) => expires_at,
  ),
]

/** The named tokens with which people and programs manage the installation. */
export const TokensPage = () => {
  const refusal = useRefusal("tokens.list")
  return refusal === undefined ? <Tokens /> : <RefusedPage refusal={refusal} title="Tokens" />
}

const Tokens = () => {
  const [isCreating, setIsCreating] = useState(false)
  const [open, setOpen] = useState<TokenDocument>()
  const refusal = useRefusal("tokens.create")
  const pages = usePages(["tokens"], (after, signal, limit) => api.tokens.list({ after, limit }, signal))
  return (
    <CollectionPage
      actions={
        <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
          Create token
        </Button>
      }
      columns={columns}
      empty={
        <EmptyState
          example="inlet tokens create dashboard --scope read --only 1"
          title="Only the installation’s own token"
        >
          Give each person and program a token of their own, with the scope and the workspaces that they need.
          You can revoke it without disturbing the others.
        </EmptyState>
      }
      onOpen={setOpen}
      pages={pages}
      rowKey={({ token_id }) => token_id}
      title="Tokens"
    >
      {isCreating ? <CreateTokenDialog onClose={() => setIsCreating(false)} /> : null}
      {open === undefined ? null : <RevokeTokenDialog onClose={() => setOpen(undefined)} token={open} />}
    </CollectionPage>
  )
}
