import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { AuditDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal, useSession } from "../../session/useRefusal.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { RefusedPage } from "../../shared/lists/ListPage.tsx"
import { boundsOf, periodIn, periodKey } from "../../shared/time/period.ts"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { AuditControls } from "./AuditControls.tsx"
import { AuditDialog } from "./AuditDialog.tsx"
import { actorText, auditQuery, outcomeText, targetText } from "./auditTexts.ts"

const columns: ReadonlyArray<Column<AuditDocument>> = [
  timeColumn({ key: "at", header: "When", width: "minmax(76px, 96px)" }, ({ at }) => at),
  { key: "actor", header: "Who", width: "minmax(44px, 1fr)", text: actorText },
  {
    key: "action",
    header: "Action",
    width: "minmax(112px, 1.5fr)",
    text: ({ action }) => action,
    cell: (record) => (
      <>
        {record.outcome === "done" ? null : (
          <span className="text-red @min-[480px]:hidden">{record.outcome} </span>
        )}
        <span className="font-mono text-xs">{record.action}</span>
      </>
    ),
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "minmax(64px, 112px)",
    // Without the column, the action says that it was not done.
    showFrom: 480,
    text: outcomeText,
    cell: (record) => (
      <span className={record.outcome === "done" ? "" : "text-red"}>{outcomeText(record)}</span>
    ),
  },
  { key: "target", header: "What", width: "minmax(112px, 2fr)", showFrom: 640, text: targetText },
  {
    key: "on",
    header: "Workspace",
    width: "88px",
    showFrom: 800,
    text: ({ environment_id }) => String(environment_id ?? "all"),
  },
  {
    key: "address",
    header: "From",
    width: "128px",
    showFrom: 900,
    text: ({ address }) => address ?? "",
    cell: ({ address }) => <span className="font-mono text-xs">{address}</span>,
  },
]

/** What was done through the management API and the console, and what was refused. */
export const AuditPage = () => {
  const refusal = useRefusal("audit.list")
  return refusal === undefined ? <Audit /> : <RefusedPage refusal={refusal} title="Audit" />
}

const Audit = () => {
  const w = useWorkspace()
  const session = useSession()
  const search = useSearch({ from: "/w/$w/audit" })
  const [open, setOpen] = useState<AuditDocument>()
  const query = auditQuery(w, search)
  const period = periodIn(search)
  const pages = usePages(["audit", query, periodKey(period)], (after, signal, limit) =>
    api.audit.list({ ...query, ...boundsOf(period), after, limit }, signal),
  )
  return (
    <CollectionPage
      actions={
        <a
          className="inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11"
          download="audit.ndjson"
          href={api.audit.export({ ...query, ...boundsOf(period) })}
        >
          Export
        </a>
      }
      columns={columns}
      controls={<AuditControls isUnlimited={session.workspaces === null} search={search} />}
      empty={
        <EmptyState example={`inlet audit --only ${w}`} title="No records">
          Changes of settings, keys and webhooks, operations, imports and exports appear here with who made
          them. Refused requests appear too, a second later.
        </EmptyState>
      }
      onOpen={setOpen}
      pages={pages}
      rowKey={({ audit_id }) => audit_id}
      title="Audit"
    >
      {open === undefined ? null : <AuditDialog onClose={() => setOpen(undefined)} record={open} />}
    </CollectionPage>
  )
}
