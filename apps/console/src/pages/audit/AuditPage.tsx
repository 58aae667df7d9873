import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { AuditDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal, useSession } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { DataTable, type Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { PageTitle } from "../../shared/ListPage.tsx"
import { Time } from "../../shared/Time.tsx"
import { usePages } from "../../shared/usePages.ts"
import { AuditControls } from "./AuditControls.tsx"
import { AuditDialog } from "./AuditDialog.tsx"
import { actorText, auditQuery, outcomeText, targetText } from "./auditTexts.ts"

const columns: ReadonlyArray<Column<AuditDocument>> = [
  { key: "at", header: "When", width: "minmax(76px, 96px)", cell: ({ at }) => <Time at={at} /> },
  { key: "actor", header: "Who", width: "minmax(44px, 1fr)", cell: actorText },
  {
    key: "action",
    header: "Action",
    width: "minmax(112px, 1fr)",
    cell: ({ action }) => <span className="font-mono text-xs">{action}</span>,
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "minmax(64px, 112px)",
    cell: (record) => (
      <span className={record.outcome === "done" ? "" : "text-red"}>{outcomeText(record)}</span>
    ),
  },
  { key: "target", header: "What", width: "minmax(112px, 2fr)", showFrom: 640, cell: targetText },
  {
    key: "on",
    header: "Workspace",
    width: "88px",
    showFrom: 800,
    cell: ({ environment_id }) => environment_id ?? "all",
  },
  {
    key: "address",
    header: "From",
    width: "128px",
    showFrom: 900,
    cell: ({ address }) => <span className="font-mono text-xs">{address}</span>,
  },
]

/** What was done through the management API and the console, and what was refused. */
export const AuditPage = () => {
  const refusal = useRefusal("audit.list")
  return (
    <section aria-label="Audit" className="flex h-full min-h-0 flex-col">
      {refusal === undefined ? (
        <Audit />
      ) : (
        <>
          <PageTitle title="Audit" />
          <p className="px-4 text-sm text-muted">{refusal}</p>
        </>
      )}
    </section>
  )
}

const Audit = () => {
  const w = useWorkspace()
  const session = useSession()
  const search = useSearch({ from: "/w/$w/audit" })
  const [open, setOpen] = useState<AuditDocument>()
  const query = auditQuery(w, search)
  const pages = usePages(["audit", query], (after, signal) => api.audit.list({ ...query, after }, signal))
  return (
    <>
      <PageTitle
        actions={
          <a
            className="inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-10"
            download="audit.ndjson"
            href={api.audit.export(query)}
          >
            Export
          </a>
        }
        title="Audit"
      />
      <AuditControls isUnlimited={session.workspaces === null} search={search} />
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            <EmptyState example={`inlet audit --only ${w}`} title="No records">
              Changes of settings, keys and webhooks, operations, imports and exports appear here with who
              made them. Refused requests appear too, a second later.
            </EmptyState>
          }
          isLoading={pages.isLoading}
          label="Audit"
          onEnd={pages.loadMore}
          onOpen={setOpen}
          rowKey={({ audit_id }) => audit_id}
          rows={pages.items}
        />
      ) : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what="The audit log could not be loaded."
        />
      )}
      {open === undefined ? null : <AuditDialog onClose={() => setOpen(undefined)} record={open} />}
    </>
  )
}
