import type { PersonDocument } from "@inlethq/contract/people/People"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { peopleListSearch } from "../../shared/values/search.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { counted } from "../../shared/values/figures.ts"
import { attributeIn, distinctPeople, findPeople } from "../../shared/fields/findPeople.ts"
import { personName } from "../../shared/values/personName.ts"
import { PersonText } from "../../shared/values/PersonText.tsx"
import { SearchLine } from "../../shared/fields/SearchLine.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages, type Pages } from "../../shared/lists/usePages.ts"
import { attributeColumn, useAttributeColumns } from "./attributeColumns.ts"
import { ColumnChooser } from "./ColumnChooser.tsx"
import { SuppressionDialog } from "./SuppressionDialog.tsx"

const columns: ReadonlyArray<Column<PersonDocument>> = [
  {
    key: "name",
    header: "Person",
    width: "minmax(128px, 3fr)",
    text: personName,
    cell: (person) => <PersonText person={person} />,
  },
  {
    key: "id",
    header: "id",
    width: "minmax(80px, 2fr)",
    showFrom: 560,
    text: ({ id }) => id ?? "",
    cell: ({ id }) => <Mono text={id} />,
  },
  {
    key: "svc",
    header: "svc_id",
    width: "120px",
    showFrom: 720,
    text: ({ svc_id }) => svc_id,
    cell: ({ svc_id }) => <Mono text={svc_id} />,
  },
  {
    key: "attributes",
    header: "Attributes",
    width: "80px",
    align: "end",
    showFrom: 880,
    text: ({ attributes }) => String(Object.keys(attributes).length),
  },
  {
    key: "subscription",
    header: "Subscription",
    width: "112px",
    showFrom: 880,
    text: ({ unsubscribed }) => (unsubscribed ? "unsubscribed" : "subscribed"),
  },
  timeColumn({ key: "updated", header: "Updated", width: "96px" }, ({ updated_at }) => updated_at),
]

const Mono = ({ text }: { readonly text: string | null }) => (
  <span className="font-mono text-xs text-muted">{text}</span>
)

/** The people of the workspace, with a search by any identifier and by attribute. */
export const PeoplePage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { personId } = useParams({ strict: false })
  const search = peopleListSearch(useSearch({ from: "/w/$w/people" }))
  const { columns: inAddress, q = "" } = search
  const pages = usePages([w, "people", q], (after, signal, limit) =>
    findPeople(w, q, { after, limit }, signal),
  )
  const people = useMemo(() => distinctPeople(pages.items), [pages.items])
  const isScan = attributeIn(q) !== undefined
  const attributes = useAttributeColumns(w, inAddress, (chosen) => {
    void navigate({ to: ".", search: (all) => ({ ...all, columns: chosen }), replace: true })
  })
  const known = useMemo(() => attributesOf(people), [people])
  const shownColumns = useMemo(
    () => [...columns.slice(0, -1), ...attributes.names.map(attributeColumn), ...columns.slice(-1)],
    [attributes.names],
  )
  const [isChecking, setIsChecking] = useState(false)
  return (
    <CollectionPage
      actions={
        <>
          <ColumnChooser chosen={attributes.names} known={known} onToggle={attributes.toggle} />
          <Button onClick={() => setIsChecking(true)}>Suppressions</Button>
        </>
      }
      columns={shownColumns}
      controls={
        <SearchLine
          label="Search people"
          onSearch={(text) => void navigate({ to: ".", search: { ...search, q: text }, replace: true })}
          placeholder="Start of an id, email or name, a svc_id, an anonymous id, or plan=pro"
          text={q}
        />
      }
      empty={<NobodyFound q={q} />}
      isEndless={!isScan}
      items={people}
      notice={isScan && !pages.isLoading ? <Searched matches={people.length} pages={pages} /> : null}
      onOpen={({ svc_id }) =>
        void navigate({
          to: "/w/$w/people/$personId",
          params: { w, personId: svc_id },
          search,
        })
      }
      openKey={personId}
      pages={pages}
      rowKey={({ svc_id }) => svc_id}
      title="People"
    >
      {isChecking ? <SuppressionDialog onClose={() => setIsChecking(false)} w={w} /> : null}
    </CollectionPage>
  )
}

/** Returns the attributes of people, sorted. */
const attributesOf = (people: ReadonlyArray<PersonDocument>): ReadonlyArray<string> =>
  [...new Set(people.flatMap(({ attributes }) => Object.keys(attributes)))].toSorted()

/** Shows how many people a search by attribute has checked, and a button that continues the search. */
const Searched = ({
  matches,
  pages,
}: {
  readonly matches: number
  readonly pages: Pages<PersonDocument>
}) => (
  <div className="flex min-h-8 shrink-0 items-center gap-2 px-4 pb-2 text-xs text-muted">
    <span role="status">
      {pages.hasMore || pages.isCut
        ? `Searched the newest ${counted(pages.searched, "person", "people")}.`
        : `Searched all ${counted(pages.searched, "person", "people")}.`}{" "}
      {counted(matches, "match", "matches")}.
    </span>
    {pages.hasMore ? (
      <Button className="ml-auto" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
        Search more people
      </Button>
    ) : null}
  </div>
)

const NobodyFound = ({ q }: { readonly q: string }) =>
  attributeIn(q) !== undefined ? (
    <EmptyState title="Nobody found">
      No person has this value of the attribute. Case matters. Write numbers and lists as JSON, such as
      seats=12.
    </EmptyState>
  ) : q === "" ? (
    <EmptyState
      example={`curl -u SITE_ID:API_KEY -X PUT ${location.origin}/api/v1/customers/ada -H 'content-type: application/json' -d '{"email":"ada@example.com","plan":"pro"}'`}
      title="No people yet"
    >
      A person appears here when a client identifies them. An event alone creates nobody: it waits until its
      id or email is identified.
    </EmptyState>
  ) : (
    <EmptyState title="Nobody found">
      No person has an id, email or name that starts with <span className="font-mono text-ink">{q}</span>, and
      this is not a svc_id or an anonymous id of a person. Case matters, except in emails.
    </EmptyState>
  )
