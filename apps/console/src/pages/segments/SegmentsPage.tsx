import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { count } from "../../shared/values/figures.ts"
import { ListSearch } from "../../shared/fields/ListSearch.tsx"
import { searchedPage } from "../../shared/lists/searchedPage.ts"
import { usePages } from "../../shared/lists/usePages.ts"
import { refreshOf } from "./refreshOf.ts"
import { segmentKeys } from "./segmentQueries.ts"

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
  const refusal = useRefusal("segments.create")
  const { q } = useSearch({ from: "/w/$w/segments" })
  const pages = usePages(
    segmentKeys.list(w, q),
    (after, signal, limit) =>
      q === undefined
        ? api.segments.list(w, { after, limit }, signal)
        : searchedPage(w, { kind: "segment", q }, signal, ({ segment_id }) =>
            api.segments.get(w, segment_id, signal),
          ),
    refreshOf,
  )
  const open = (id: number): void =>
    void navigate({
      to: "/w/$w/segments/$segmentId",
      params: { w, segmentId: String(id) },
      search: q === undefined ? {} : { q },
    })
  return (
    <CollectionPage
      actions={
        <Button
          icon="created"
          onClick={() => void navigate({ to: "/w/$w/segments/new", params: { w } })}
          refusal={refusal}
          tone="primary"
        >
          Create segment
        </Button>
      }
      columns={columns}
      controls={<ListSearch of="segments" placeholder="Start of a word of the name, or an id" q={q} />}
      empty={
        q !== undefined ? (
          <EmptyState title="No segment found">
            No segment has this id, or a name with a word that starts with this text.
          </EmptyState>
        ) : (
          <EmptyState example="inlet segments create 'Trial users'" title="No segments yet">
            A segment by rule has the people for whom its rule holds. A manual segment is a list: clients and
            operators add people to it and remove them.
          </EmptyState>
        )
      }
      onOpen={({ segment_id }) => open(segment_id)}
      openKey={segmentId}
      pages={pages}
      rowKey={({ segment_id }) => String(segment_id)}
      title="Segments"
    />
  )
}
