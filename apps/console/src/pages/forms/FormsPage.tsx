import type { FormDocument } from "@inlethq/contract/objects/Forms"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { collectionKeys } from "../../api/collectionKeys.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { ListSearch } from "../../shared/fields/ListSearch.tsx"
import { searchedPage } from "../../shared/lists/searchedPage.ts"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"

const columns: ReadonlyArray<Column<FormDocument>> = [
  { key: "form", header: "Form", width: "minmax(112px, 1fr)", text: ({ form_id }) => form_id },
  {
    key: "fields",
    header: "Fields",
    width: "minmax(112px, 2fr)",
    showFrom: 480,
    text: ({ fields }) => fields.join(", "),
    cell: ({ fields }) => <span className="text-muted">{fields.join(", ")}</span>,
  },
  timeColumn({ key: "updated", header: "Updated", width: "96px" }, ({ updated_at }) => updated_at),
]

/** The forms that were submitted at least once. */
export const FormsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { formId } = useParams({ strict: false })
  const { q } = useSearch({ from: "/w/$w/forms" })
  const pages = usePages(collectionKeys("forms").list(w, q), (after, signal, limit) =>
    q === undefined
      ? api.forms.list(w, { after, limit }, signal)
      : searchedPage(w, { kind: "form", q }, signal, ({ form_id }) => api.forms.get(w, form_id, signal)),
  )
  return (
    <CollectionPage
      columns={columns}
      controls={<ListSearch of="forms" placeholder="Start of a form id" q={q} />}
      empty={
        q !== undefined ? (
          <EmptyState title="No form found">No form has this id, or one that starts with it.</EmptyState>
        ) : (
          <EmptyState
            example={`curl -u SITE_ID:API_KEY ${location.origin}/api/v1/forms/newsletter/submit -H 'content-type: application/json' -d '{"data":{"email":"ada@example.com","plan":"pro"}}'`}
            title="No forms yet"
          >
            A form appears here with its first submission. You can then choose which attribute each of its
            fields sets.
          </EmptyState>
        )
      }
      onOpen={({ form_id }) =>
        void navigate({
          to: "/w/$w/forms/$formId",
          params: { w, formId: form_id },
          search: q === undefined ? {} : { q },
        })
      }
      openKey={formId}
      pages={pages}
      rowKey={({ form_id }) => form_id}
      title="Forms"
    />
  )
}
