import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/Button.tsx"
import { CollectionPage } from "../../shared/CollectionPage.tsx"
import type { Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { count } from "../../shared/figures.ts"
import { usePages } from "../../shared/usePages.ts"
import { CreateSegmentDialog } from "./CreateSegmentDialog.tsx"

const columns: ReadonlyArray<Column<SegmentDocument>> = [
  { key: "name", header: "Segment", width: "minmax(112px, 2fr)", text: ({ name }) => name },
  {
    key: "description",
    header: "Description",
    width: "minmax(112px, 3fr)",
    showFrom: 640,
    text: ({ description }) => description ?? "",
    cell: ({ description }) => <span className="text-muted">{description}</span>,
  },
  {
    key: "kind",
    header: "Kind",
    width: "112px",
    showFrom: 480,
    text: ({ kind, state }) => (state === null ? "by hand" : state === "active" ? `by ${kind}` : state),
  },
  { key: "id", header: "Id", width: "64px", text: ({ segment_id }) => String(segment_id) },
  {
    key: "size",
    header: "People",
    width: "80px",
    align: "end",
    text: ({ size }) => String(size),
    cell: ({ size }) => count(size),
  },
]

/** The segments of the workspace. */
export const SegmentsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { segmentId } = useParams({ strict: false })
  const [isCreating, setIsCreating] = useState(false)
  const refusal = useRefusal("segments.create")
  const pages = usePages([w, "segments"], (after, signal, limit) =>
    api.segments.list(w, { after, limit }, signal),
  )
  const open = (id: number): void =>
    void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId: String(id) } })
  return (
    <CollectionPage
      actions={
        <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal} tone="primary">
          Create segment
        </Button>
      }
      columns={columns}
      empty={
        <EmptyState example="inlet segments create 'Trial users'" title="No segments yet">
          A segment by rule has the people for whom its rule holds. A manual segment is a list: clients and
          operators add people to it and remove them.
        </EmptyState>
      }
      onOpen={({ segment_id }) => open(segment_id)}
      openKey={segmentId}
      pages={pages}
      rowKey={({ segment_id }) => String(segment_id)}
      title="Segments"
    >
      {isCreating ? (
        <CreateSegmentDialog onClose={() => setIsCreating(false)} onCreated={open} w={w} />
      ) : null}
    </CollectionPage>
  )
}
