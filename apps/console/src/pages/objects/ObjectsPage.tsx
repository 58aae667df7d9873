import type { ObjectDocument } from "@inlet/api/management/Objects"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { DataTable, type Column } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { ListPage } from "../../shared/ListPage.tsx"
import { SearchLine } from "../../shared/SearchLine.tsx"
import { Time } from "../../shared/Time.tsx"
import { usePages } from "../../shared/usePages.ts"

const columns: ReadonlyArray<Column<ObjectDocument>> = [
  { key: "id", header: "Object", width: "minmax(112px, 2fr)", cell: ({ object_id }) => object_id },
  { key: "type", header: "Type", width: "80px", cell: ({ object_type_id }) => object_type_id },
  {
    key: "attributes",
    header: "Attributes",
    width: "minmax(112px, 3fr)",
    showFrom: 640,
    cell: ({ attributes }) => (
      <span className="font-mono text-xs text-muted">
        {Object.keys(attributes).length === 0 ? "" : JSON.stringify(attributes)}
      </span>
    ),
  },
  { key: "updated", header: "Updated", width: "96px", cell: ({ updated_at }) => <Time at={updated_at} /> },
]

/** The objects of the workspace, of all types or of one type. */
export const ObjectsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { objectId, objectTypeId } = useParams({ strict: false })
  const { type } = useSearch({ from: "/w/$w/objects" })
  const pages = usePages([w, "objects", type], (after, signal) =>
    api.objects.list(w, { object_type_id: type, after }, signal),
  )
  return (
    <ListPage
      controls={
        <SearchLine
          label="Type of the objects"
          onSearch={(text) =>
            void navigate({ to: ".", search: text === "" ? {} : { type: text }, replace: true })
          }
          placeholder="All types, or the id of one type, such as 1"
          text={type ?? ""}
        />
      }
      isDetailOpen={objectId !== undefined}
      title="Objects"
    >
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            <EmptyState
              example={`curl -u SITE_ID:API_KEY ${location.origin}/api/v2/entity -d '{"type":"object","action":"identify","identifiers":{"object_type_id":"1","object_id":"acme"},"attributes":{"name":"Acme"}}'`}
              title={type === undefined ? "No objects yet" : `No objects of type ${type}`}
            >
              An object is something that people belong to, such as a company. It appears here when a client
              identifies it.
            </EmptyState>
          }
          isLoading={pages.isLoading}
          label="Objects"
          onEnd={pages.loadMore}
          onOpen={(object) =>
            void navigate({
              to: "/w/$w/objects/$objectTypeId/$objectId",
              params: { w, objectTypeId: object.object_type_id, objectId: object.object_id },
              search: type === undefined ? {} : { type },
            })
          }
          openKey={objectId === undefined ? undefined : `${objectTypeId}/${objectId}`}
          rowKey={({ object_id, object_type_id }) => `${object_type_id}/${object_id}`}
          rows={pages.items}
        />
      ) : (
        <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The objects could not be loaded." />
      )}
    </ListPage>
  )
}
