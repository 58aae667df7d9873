import { useState } from "react"
import type { TokenDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { DataTable, type Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { PageTitle } from "../../shared/ListPage.tsx"
import { Time } from "../../shared/Time.tsx"
import { usePages } from "../../shared/usePages.ts"
import { CreateTokenDialog } from "./CreateTokenDialog.tsx"
import { RevokeTokenDialog } from "./RevokeTokenDialog.tsx"
import { workspacesText } from "./tokenTexts.ts"

const columns: ReadonlyArray<Column<TokenDocument>> = [
  { key: "name", header: "Name", width: "minmax(112px, 2fr)", cell: ({ name }) => name },
  { key: "scope", header: "Scope", width: "64px", cell: ({ scope }) => scope },
  { key: "workspaces", header: "Workspaces", width: "minmax(80px, 1fr)", cell: workspacesText },
  {
    key: "prefix",
    header: "Begins with",
    width: "120px",
    showFrom: 768,
    cell: ({ prefix }) => <span className="font-mono text-xs">{prefix}…</span>,
  },
  {
    key: "created",
    header: "Created",
    width: "112px",
    showFrom: 900,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: "used",
    header: "Last used",
    width: "112px",
    showFrom: 480,
    cell: ({ last_used_at }) => (last_used_at === null ? "never" : <Time at={last_used_at} />),
  },
  {
    key: "expires",
    header: "Expires",
    width: "112px",
    showFrom: 640,
    cell: ({ expires_at }) => (expires_at === null ? "never" : <Time at={expires_at} />),
  },
]

/** The named tokens with which people and programs manage the installation. */
export const TokensPage = () => {
  const refusal = useRefusal("tokens.list")
  return (
    <section aria-label="Tokens" className="flex h-full min-h-0 flex-col">
      {refusal === undefined ? (
        <Tokens />
      ) : (
        <>
          <PageTitle title="Tokens" />
          <p className="px-4 text-sm text-muted">{refusal}</p>
        </>
      )}
    </section>
  )
}

const Tokens = () => {
  const [isCreating, setIsCreating] = useState(false)
  const [open, setOpen] = useState<TokenDocument>()
  const refusal = useRefusal("tokens.create")
  const pages = usePages(["tokens"], (after, signal) => api.tokens.list({ after }, signal))
  return (
    <>
      <PageTitle
        actions={
          <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
            Create token
          </Button>
        }
        title="Tokens"
      />
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            <EmptyState
              example="inlet tokens create dashboard --scope read --only 1"
              title="Only the installation’s own token"
            >
              Give each person and program a token of their own, with the scope and the workspaces that they
              need. You can revoke it without disturbing the others.
            </EmptyState>
          }
          isLoading={pages.isLoading}
          label="Tokens"
          onEnd={pages.loadMore}
          onOpen={setOpen}
          rowKey={({ token_id }) => token_id}
          rows={pages.items}
        />
      ) : (
        <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The tokens could not be loaded." />
      )}
      {isCreating ? <CreateTokenDialog onClose={() => setIsCreating(false)} /> : null}
      {open === undefined ? null : <RevokeTokenDialog onClose={() => setOpen(undefined)} token={open} />}
    </>
  )
}
