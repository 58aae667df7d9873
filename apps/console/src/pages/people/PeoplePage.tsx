import type { PersonDocument } from "@inlethq/contract/people/People"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { peopleListSearch } from "../../shared/values/search.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { counted } from "../../shared/values/figures.ts"
import { distinctPeople, findPeople } from "../../shared/fields/findPeople.ts"
import { personName } from "../../shared/values/personName.ts"
import { PersonText } from "../../shared/values/PersonText.tsx"
import { QueryLine } from "../../shared/query/QueryLine.tsx"
import { withTerm, type NewTerm } from "../../shared/query/queryTerms.ts"
import { SavedViews } from "../views/SavedViews.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages, type Pages } from "../../shared/lists/usePages.ts"
import { useSearchOn, type SearchOn } from "../../shared/lists/useSearchOn.ts"
import { attributeColumn, useAttributeColumns } from "./attributeColumns.ts"
import { ColumnChooser } from "./ColumnChooser.tsx"
import { peopleLanguage } from "./peopleLanguage.ts"
import { SuppressedHint } from "./SuppressedHint.tsx"
import { SuppressionDialog } from "./SuppressionDialog.tsx"

/** People of one company share what follows the @ of their emails. */
const domainTerm = (email: string | null): NewTerm | null =>
  email === null ? null : { key: "email", value: `*${email.slice(email.lastIndexOf("@"))}`, isPattern: true }

const columns: ReadonlyArray<Column<PersonDocument>> = [
  {
    key: "name",
    header: "Person",
    width: "minmax(128px, 3fr)",
    text: personName,
    term: ({ email }) => domainTerm(email),
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
    term: ({ unsubscribed }) => ({ key: "is", value: unsubscribed ? "unsubscribed" : "subscribed" }),
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
  const searchOn = useSearchOn(pages, people.length, q !== "")
  const language = usePeopleLanguage(w)
  const onQuery = (text: string) => void navigate({ to: ".", search: { ...search, q: text }, replace: true })
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
          <SavedViews
            onOpen={(query) => void navigate({ to: ".", search: query })}
            page="people"
            query={search}
            w={w}
          />
          <ColumnChooser chosen={attributes.names} known={known} onToggle={attributes.toggle} />
          <Button onClick={() => setIsChecking(true)}>Suppressions</Button>
        </>
      }
      columns={shownColumns}
      controls={
        <QueryLine
          isImmediate
          label="Search people"
          language={language}
          onQuery={onQuery}
          placeholder="A part of a name, an email or an id, or plan:pro -country:DE"
          query={q}
        />
      }
      empty={<NobodyFound q={q} w={w} />}
      isEndless={!searchOn.isSearching}
      items={people}
      notice={q === "" ? null : <Searched matches={people.length} pages={pages} searchOn={searchOn} />}
      onTerm={(term) => onQuery(withTerm(q, term))}
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

const usePeopleLanguage = (w: string) => {
  const queries = useQueryClient()
  const language = useMemo(() => peopleLanguage(queries, w), [queries, w])
  useEffect(() => {
    // Attributes become keys of the query once they are known; without them, the line works all the same.
    void language.prepare().catch(() => undefined)
  }, [language])
  return language
}

/** Returns the attributes of people, sorted. */
const attributesOf = (people: ReadonlyArray<PersonDocument>): ReadonlyArray<string> =>
  [...new Set(people.flatMap(({ attributes }) => Object.keys(attributes)))].toSorted()

interface SearchedProps {
  readonly matches: number
  readonly pages: Pages<PersonDocument>
  readonly searchOn: SearchOn
}

/** Says how far a search has come, and stops it or goes on. */
const Searched = ({ matches, pages, searchOn }: SearchedProps) => {
  const { goOn, isSearching, stop } = searchOn
  const isLeft = pages.hasMore || pages.isCut
  return (
    <div className="flex min-h-8 shrink-0 items-center gap-2 px-4 pb-2 text-xs text-muted">
      <span role="status">
        {counted(matches, "match", "matches")}
        {isSearching
          ? `, searching on: ${counted(pages.searched, "person", "people")} so far…`
          : isLeft
            ? `. Not everybody was searched: ${counted(pages.searched, "person", "people")}.`
            : ". Everybody was searched."}
      </span>
      {isSearching ? (
        <Button className="ml-auto h-6" onClick={stop}>
          Stop
        </Button>
      ) : pages.hasMore ? (
        <Button className="ml-auto h-6" disabled={pages.isLoadingMore} onClick={goOn}>
          Search on
        </Button>
      ) : null}
    </div>
  )
}

interface NobodyFoundProps {
  readonly w: string
  readonly q: string
}

const NobodyFound = ({ q, w }: NobodyFoundProps) =>
  q === "" ? (
    <EmptyState
      example={`curl -u SITE_ID:API_KEY -X PUT ${location.origin}/api/v1/customers/ada -H 'content-type: application/json' -d '{"email":"ada@example.com","plan":"pro"}'`}
      title="No people yet"
    >
      A person appears here when a client identifies them. An event alone creates nobody: it waits until its
      id or email is identified.
    </EmptyState>
  ) : (
    <EmptyState title="Nobody found">
      <SuppressedHint q={q} w={w} />
      Nobody has this inside a name, an email or an id, or an attribute as asked. Case and accents do not
      matter. Somebody who was deleted is found under Erasures.
    </EmptyState>
  )
