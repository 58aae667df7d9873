import { useMemo } from "react"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { chosenColumns } from "../../shared/lists/ColumnMenu.tsx"
import { QueryLine } from "../../shared/query/QueryLine.tsx"
import { withTerm } from "../../shared/query/queryTerms.ts"
import { rowMatcher, rowsLanguage } from "../../shared/query/rowsLanguage.ts"
import { ListTools } from "../views/ListTools.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { ListPage } from "../../shared/lists/ListPage.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { count } from "../../shared/values/figures.ts"
import { Trend } from "../../shared/values/Trend.tsx"
import { titleOf } from "../../shared/values/typeTitle.ts"
import { trendOfDays } from "../../shared/values/trendOf.ts"
import {
  isNew,
  type KindChoice,
  kindChoices,
  kindIn,
  typeFields,
  typeKey,
  useEventTypes,
} from "./eventTypes.ts"
import { sinceIn, useDrift, WhatChanged } from "./WhatChanged.tsx"

/** The days of the small chart of a name. */
const trendDays = 30

const columns: ReadonlyArray<Column<EventTypeDocument>> = [
  {
    key: "name",
    header: "Name",
    width: "minmax(120px, 4fr)",
    text: titleOf,
    cell: (type) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium" title={titleOf(type)}>
          {titleOf(type)}
        </span>
        {isNew(type) ? <Badge title="First within the last 24 hours">new</Badge> : null}
        {type.silent_since === null ? null : (
          <Badge title="Nothing for five times its usual pause" tone="grey">
            silent
          </Badge>
        )}
      </span>
    ),
  },
  {
    key: "count",
    header: "Count",
    width: "88px",
    align: "end",
    text: ({ count: number }) => String(number),
    cell: ({ count: number }) => count(number),
  },
  {
    key: "days",
    header: "30 days",
    width: "minmax(96px, 2fr)",
    showFrom: 520,
    text: ({ days }) => days.map(({ count: number, day }) => `${day}: ${number}`).join(" "),
    cell: ({ days }) => <Trend bars={trendOfDays(days, trendDays, Date.now())} />,
  },
  {
    key: "senders",
    header: "Senders",
    width: "72px",
    align: "end",
    showFrom: 620,
    text: ({ senders }) => String(senders.length),
    term: ({ senders: [first] }) =>
      first?.sender?.user_agent == null ? null : { key: "client", value: first.sender.user_agent },
  },
  {
    key: "paths",
    header: "Paths",
    width: "64px",
    align: "end",
    showFrom: 720,
    text: ({ paths }) => String(paths),
  },
  timeColumn({ key: "last", header: "Last", width: "88px", showFrom: 420 }, ({ last }) => last.at),
  {
    ...timeColumn(
      { key: "first", header: "First", width: "88px" },
      ({ first }: EventTypeDocument) => first.at,
    ),
    isExtra: true,
  },
]

/** The names of events, pages and screens, and the attributes of people and objects, with what changed. */
export const EventsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { kind: openKind, name: openName } = useParams({ strict: false })
  const search = useSearch({ from: "/w/$w/events" })
  const kind = kindIn(search.kind)
  const since = sinceIn(search.last)
  const { q = "" } = search
  const pages = useEventTypes(w, kind)
  const language = useMemo(() => rowsLanguage(typeFields, pages.items), [pages.items])
  const isListed = useMemo(() => rowMatcher(typeFields, q), [q])
  const shown = useMemo(() => chosenColumns(columns, search.columns), [search.columns])
  const drift = useDrift(w, since)
  const isDetailOpen = openKind !== undefined && openName !== undefined
  const set = (changed: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: ".", search: { ...search, ...changed }, replace: true })
  // The list stands below the changes, and would move if it were shown before them.
  if (drift.isPending && !isDetailOpen) {
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
      notice={<WhatChanged onSince={(last) => set({ last })} since={since} w={w} />}
      onOpen={(type) =>
        void navigate({
          to: "/w/$w/events/$kind/$name",
          params: { w, kind: type.kind, name: type.name },
          search,
        })
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
