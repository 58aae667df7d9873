import type { ErasureDocument } from "../../api/documents.ts"
import { useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { count } from "../../shared/values/figures.ts"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"

const columns: ReadonlyArray<Column<ErasureDocument>> = [
  timeColumn({ key: "at", header: "When", width: "96px" }, ({ at }) => at),
  {
    key: "id",
    header: "Erasure",
    width: "minmax(112px, 2fr)",
    text: ({ erasure_id }) => erasure_id,
    cell: ({ erasure_id }) => <span className="font-mono text-xs">{erasure_id}</span>,
  },
  { key: "action", header: "Action", width: "96px", showFrom: 480, text: ({ action }) => action },
  {
    key: "identifiers",
    header: "Identifiers",
    width: "88px",
    align: "end",
    showFrom: 560,
    text: ({ identifiers }) => count(identifiers),
  },
  { key: "state", header: "State", width: "112px", text: ({ state }) => state },
]

/** The deletions and suppressions of people, newest first, and how far each has come. */
export const ErasuresPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { erasureId } = useParams({ strict: false })
  const pages = usePages([w, "erasures"], (after, signal, limit) =>
    api.erasures.list(w, { after, limit }, signal),
  )
  return (
    <CollectionPage
      columns={columns}
      empty={
        <EmptyState example="inlet people delete ada" title="Nobody was erased">
          Each deletion of a person appears here without the person’s data, and gets a signed receipt once
          everything about the person is gone.
        </EmptyState>
      }
      onOpen={({ erasure_id }) =>
        void navigate({ to: "/w/$w/erasures/$erasureId", params: { w, erasureId: erasure_id } })
      }
      openKey={erasureId}
      pages={pages}
      rowKey={({ erasure_id }) => erasure_id}
      title="Erasures"
    />
  )
}
