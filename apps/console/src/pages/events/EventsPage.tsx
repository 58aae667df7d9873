import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { workspaceQuery } from "../../api/workspaceQuery.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import { chosenColumns } from "../../shared/lists/ColumnMenu.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { ListPage } from "../../shared/lists/ListPage.tsx"
import { QueryLine } from "../../shared/query/QueryLine.tsx"
import { withTerm } from "../../shared/query/queryTerms.ts"
import { rowMatcher, rowsLanguage } from "../../shared/query/rowsLanguage.ts"
import { rollingPeriods, type RollingName } from "../../shared/time/period.ts"
import { ListTools } from "../views/ListTools.tsx"
import { eventColumns } from "./eventColumns.tsx"
import { eventRows, misfitsOf, pagesOfRows, rowFields } from "./eventRows.ts"
import { type KindChoice, kindChoices, kindIn, typeKey, useEventTypes } from "./eventTypes.ts"
import { plansQuery } from "./plans.ts"
import { useUnseenMisfits } from "./unseenMisfits.ts"
import { sinceIn, useDrift, WhatChanged } from "./WhatChanged.tsx"

/** The names of events, pages and screens, and the attributes of people and objects, with what changed. */
export const EventsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { kind: openKind, name: openName } = useParams({ strict: false })
  const search = useSearch({ from: "/w/$w/events" })
  const kind = kindIn(search.kind)
  const since = sinceIn(search.last)
  const { q = "" } = search
  const { isPending, misfits, pages } = useEventRows(w, kind, since)
  const columns = useMemo(() => eventColumns(w, since), [w, since])
  const language = useMemo(() => rowsLanguage(rowFields, pages.items), [pages.items])
  const isListed = useMemo(() => rowMatcher(rowFields, q), [q])
  const shown = useMemo(() => chosenColumns(columns, search.columns), [columns, search.columns])
  const drift = useDrift(w, since)
  const isDetailOpen = openKind !== undefined && openName !== undefined
  const set = (changed: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: ".", search: { ...search, ...changed }, replace: true })
  // The list stands below the changes, and would move if it were shown before them.
  if ((drift.isPending || isPending) && !isDetailOpen) {
    return (
      <ListPage isDetailOpen={false} title="Events">
        <Loading />
      </ListPage>
    )
  }
  return (
    <CollectionPage
      actions={
        <ListTools
          columns={columns}
          onSearch={(query) => void navigate({ to: ".", search: query })}
          page="events"
          search={search}
          w={w}
        />
      }
      columns={shown}
      controls={
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,144px)] gap-2">
          <QueryLine
            isImmediate
            label="Search events"
            language={language}
            onQuery={(text) => set({ q: text })}
            placeholder="A part of a name, or is:new client:shop/*"
            query={q}
          />
          <KindChooser kind={kind} onKind={(chosen) => set({ kind: chosen })} />
        </div>
      }
      empty={<NoNames isFiltered={q !== ""} />}
      notice={<WhatChanged misfits={misfits} onSince={(last) => set({ last })} since={since} w={w} />}
      onOpen={({ kind: opened, name }) =>
        void navigate({ to: "/w/$w/events/$kind/$name", params: { w, kind: opened, name }, search })
      }
      isListed={isListed}
      onTerm={(term) => set({ q: withTerm(q, term) })}
      openKey={isDetailOpen ? typeKey({ kind: openKind, name: openName }) : undefined}
      pages={pages}
      rowKey={typeKey}
      title="Events"
    />
  )
}

/** Reads the names of a kind with their plans, and what did not fit them, of all kinds, in the shown period. */
const useEventRows = (w: string, kind: KindChoice, since: RollingName) => {
  const types = useEventTypes(w)
  const { data: plans, isPending } = useQuery(plansQuery(w))
  const { data: workspace } = useQuery(workspaceQuery(w))
  const rejects =
    workspace?.unknown_events === "reject" || plans?.plans.some(({ mode }) => mode === "reject") === true
  const unseen = useUnseenMisfits(w, since, rejects)
  const { items, rowsOf, misfits } = useMemo(() => {
    const sources = { types: types.items, plans, unseen, since: Date.now() - rollingPeriods[since].ms }
    const rowsIn = (read: ReadonlyArray<EventTypeDocument>) => eventRows({ ...sources, types: read }, kind)
    return { items: rowsIn(types.items), rowsOf: rowsIn, misfits: misfitsOf(sources) }
  }, [types.items, plans, unseen, kind, since])
  return { pages: pagesOfRows(types, rowsOf, items), misfits, isPending: isPending || types.isLoading }
}

interface KindChooserProps {
  readonly kind: KindChoice
  readonly onKind: (kind: string) => void
}

const KindChooser = ({ kind, onKind }: KindChooserProps) => (
  <select
    aria-label="Kind"
    className={inputStyle}
    onChange={(event) => onKind(event.target.value)}
    value={kind}
  >
    {Object.entries(kindChoices).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

const NoNames = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No name found">No name of this kind is what the filter asks for.</EmptyState>
  ) : (
    <EmptyState example='inlet send track ada "Order Placed" total=12' title="No names yet">
      Every name that arrives is listed here within seconds, with the shape of its data and who sends it.
    </EmptyState>
  )
