import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { DataTable, type Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { count } from "../../shared/figures.ts"
import { ListPage } from "../../shared/ListPage.tsx"
import { usePages } from "../../shared/usePages.ts"
import { CreateSegmentDialog } from "./CreateSegmentDialog.tsx"

const columns: ReadonlyArray<Column<SegmentDocument>> = [
  { key: "name", header: "Segment", width: "minmax(112px, 2fr)", cell: ({ name }) => name },
  {
    key: "description",
    header: "Description",
    width: "minmax(112px, 3fr)",
    showFrom: 640,
    cell: ({ description }) => <span className="text-muted">{description}</span>,
  },
  { key: "id", header: "Id", width: "64px", cell: ({ segment_id }) => segment_id },
  { key: "size", header: "People", width: "80px", align: "end", cell: ({ size }) => count(size) },
]

/** The manual segments of the workspace. */
export const SegmentsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { segmentId } = useParams({ strict: false })
  const [isCreating, setIsCreating] = useState(false)
  const refusal = useRefusal("segments.create")
  const pages = usePages([w, "segments"], (after, signal) => api.segments.list(w, { after }, signal))
  const open = (id: number): void =>
    void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId: String(id) } })
  return (
    <ListPage
      actions={
        <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
          Create segment
        </Button>
      }
      isDetailOpen={segmentId !== undefined}
      title="Segments"
    >
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            <EmptyState example="inlet segments create 'Trial users'" title="No segments yet">
              A manual segment is a list of people. Clients and operators add people to it and remove them.
            </EmptyState>
          }
          isLoading={pages.isLoading}
          label="Segments"
          onEnd={pages.loadMore}
          onOpen={({ segment_id }) => open(segment_id)}
          openKey={segmentId}
          rowKey={({ segment_id }) => String(segment_id)}
          rows={pages.items}
        />
      ) : (
        <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The segments could not be loaded." />
      )}
      {isCreating ? (
        <CreateSegmentDialog onClose={() => setIsCreating(false)} onCreated={open} w={w} />
      ) : null}
    </ListPage>
  )
}
