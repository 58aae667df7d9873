import { useState } from "react"
import type { SessionRow } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { RefusedPage } from "../../shared/lists/ListPage.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { RevokeSessionDialog } from "./RevokeSessionDialog.tsx"
import { openedBy, rightsText } from "./sessionTexts.ts"

const columns: ReadonlyArray<Column<SessionRow>> = [
  {
    key: "name",
    header: "Name",
    width: "minmax(112px, 2fr)",
    text: ({ current, name }) => (current ? `${name} (this browser)` : name),
  },
  { key: "kind", header: "Opened by", width: "96px", showFrom: 480, text: openedBy },
  { key: "rights", header: "May", width: "minmax(96px, 2fr)", text: rightsText },
  {
    key: "issuer",
    header: "Issuer",
    width: "minmax(96px, 2fr)",
    showFrom: 900,
    text: ({ issuer }) => issuer ?? "",
  },
  timeColumn(
    { key: "created", header: "Signed in", width: "112px", showFrom: 640 },
    ({ created_at }) => created_at,
  ),
  timeColumn({ key: "expires", header: "Ends", width: "112px" }, ({ expires_at }) => expires_at),
]

/** Who is signed in to the console. */
export const SessionsPage = () => {
  const refusal = useRefusal("sessions.list")
  return refusal === undefined ? <Sessions /> : <RefusedPage refusal={refusal} title="Sessions" />
}

const Sessions = () => {
  const [open, setOpen] = useState<SessionRow>()
  const pages = usePages(["sessions"], (after, signal, limit) => api.sessions.list({ after, limit }, signal))
  return (
    <CollectionPage
      columns={columns}
      empty={
        <EmptyState example="inlet sessions list" title="Nobody is signed in">
          Whoever signs in to the console has a session, which can be revoked here.
        </EmptyState>
      }
      onOpen={setOpen}
      pages={pages}
      rowKey={({ session_id }) => session_id}
      title="Sessions"
    >
      {open === undefined ? null : <RevokeSessionDialog onClose={() => setOpen(undefined)} session={open} />}
    </CollectionPage>
  )
}
