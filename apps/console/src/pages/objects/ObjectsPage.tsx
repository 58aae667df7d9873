import type { ObjectThenDocument } from "@inlethq/contract/objects/Objects"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { SearchLine } from "../../shared/fields/SearchLine.tsx"
import { searchedPage } from "../../shared/lists/searchedPage.ts"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"

const attributesText = ({ attributes }: ObjectThenDocument): string =>
  Object.keys(attributes).length === 0 ? "" : JSON.stringify(attributes)

const columns: ReadonlyArray<Column<ObjectThenDocument>> = [
  { key: "id", header: "Object", width: "minmax(112px, 2fr)", text: ({ object_id }) => object_id },
  {
    key: "name",
    header: "Name",
    width: "minmax(96px, 2fr)",
    showFrom: 480,
    text: ({ attributes }) => (typeof attributes["name"] === "string" ? attributes["name"] : ""),
  },
  { key: "type", header: "Type", width: "80px", text: ({ object_type_id }) => object_type_id },
  {
    key: "attributes",
    header: "Attributes",
    width: "minmax(112px, 3fr)",
    showFrom: 640,
    text: attributesText,
    cell: (object) => <span className="font-mono text-xs text-muted">{attributesText(object)}</span>,
  },
  timeColumn({ key: "updated", header: "Updated", width: "96px" }, ({ updated_at }) => updated_at),
]

/** Returns the query parameters for a typed text: a type and a slash list all objects of the type. */
const objectSearchOf = (text: string) =>
  text === "" ? {} : text.endsWith("/") && text.length > 1 ? { type: text.slice(0, -1) } : { q: text }

/** The objects of the workspace, of all types or of one type. */
export const ObjectsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { objectId, objectTypeId } = useParams({ strict: false })
  const { q, type } = useSearch({ from: "/w/$w/objects" })
  const pages = usePages<ObjectThenDocument>([w, "objects", type, q], (after, signal, limit) =>
    q === undefined
      ? api.objects.list(w, { object_type_id: type, after, limit }, signal)
      : searchedPage(w, { kind: "object", q }, signal, ({ object_id, object_type_id }) =>
          api.objects.get(w, object_type_id, object_id, {}, signal),
        ),
  )
  return (
    <CollectionPage
      columns={columns}
      controls={
        <SearchLine
          label="Search objects"
          onSearch={(text) => void navigate({ to: ".", search: objectSearchOf(text), replace: true })}
          placeholder="Start of an id, TYPE/ID, or a type and a slash, such as 1/"
          text={q ?? (type === undefined ? "" : `${type}/`)}
        />
      }
      empty={
        q !== undefined ? (
          <EmptyState title="No object found">No object has this id, or one that starts with it.</EmptyState>
        ) : (
          <EmptyState
            example={`curl -u SITE_ID:API_KEY ${location.origin}/api/v2/entity -d '{"type":"object","action":"identify","identifiers":{"object_type_id":"1","object_id":"acme"},"attributes":{"name":"Acme"}}'`}
            title={type === undefined ? "No objects yet" : `No objects of type ${type}`}
          >
            An object is something that people belong to, such as a company. It appears here when a client
            identifies it.
          </EmptyState>
        )
      }
      onOpen={(object) =>
        void navigate({
          to: "/w/$w/objects/$objectTypeId/$objectId",
          params: { w, objectTypeId: object.object_type_id, objectId: object.object_id },
          search: { ...(type !== undefined && { type }), ...(q !== undefined && { q }) },
        })
      }
      openKey={objectId === undefined ? undefined : `${objectTypeId}/${objectId}`}
      pages={pages}
      rowKey={({ object_id, object_type_id }) => `${object_type_id}/${object_id}`}
      title="Objects"
    />
  )
}
