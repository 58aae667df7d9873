import { useMemo } from "react"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { chosenColumns } from "../../shared/lists/ColumnMenu.tsx"
import { QueryLine } from "../../shared/query/QueryLine.tsx"
import { withTerm } from "../../shared/query/queryTerms.ts"
import { rowMatcher, rowsLanguage } from "../../shared/query/rowsLanguage.ts"
import { ListTools } from "../views/ListTools.tsx"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { periodText, type Period } from "../../shared/time/period.ts"
import { useZone } from "../../shared/time/zone.ts"
import { causeFields, causeId, errorsPeriod, useCauses } from "./causes.ts"
import { causeColumns } from "./columns.tsx"
import { UnknownKeys } from "./UnknownKeys.tsx"

/** The causes why operations of a period were not applied completely, with who sent them. */
export const ErrorsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { causeId: openId } = useParams({ strict: false })
  const search = useSearch({ from: "/w/$w/errors" })
  const period = errorsPeriod(search)
  const pages = useCauses(w, search)
  const { q = "" } = search
  const show = (changed: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: ".", search: { ...search, ...changed }, replace: true })
  const onPeriod = (chosen: Period | undefined) =>
    show({ from: undefined, to: undefined, last: undefined, ...chosen })
  const onQuery = (text: string) => show({ q: text })
  const language = useMemo(() => rowsLanguage(causeFields, pages.items), [pages.items])
  const isListed = useMemo(() => rowMatcher(causeFields, q), [q])
  const shown = useMemo(() => chosenColumns(causeColumns, search.columns), [search.columns])
  return (
    <CollectionPage
      actions={
        <ListTools
          columns={causeColumns}
          onSearch={(query) => void navigate({ to: ".", search: query })}
          page="errors"
          search={search}
          w={w}
        />
      }
      columns={shown}
      controls={
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-[minmax(0,1fr)_200px_200px]">
          <div className="max-sm:col-span-2">
            <QueryLine
              isImmediate
              language={language}
              onQuery={onQuery}
              placeholder="Words, or outcome:rejected client:shop/*"
              query={q}
            />
          </div>
          <PeriodChooser choices={periods} isNeeded onPeriod={onPeriod} period={period} />
          <select
            aria-label="Causes"
            className={inputStyle}
            onChange={(event) => show({ only: event.target.value })}
            value={search.only ?? ""}
          >
            <option value="">All causes</option>
            <option value="new">New since yesterday</option>
          </select>
        </div>
      }
      empty={<NoErrors isFiltered={q !== ""} isOnlyNew={search.only === "new"} period={period} />}
      isListed={isListed}
      onOpen={(cause) =>
        void navigate({ to: "/w/$w/errors/$causeId", params: { w, causeId: causeId(cause) }, search })
      }
      onTerm={(term) => onQuery(withTerm(q, term))}
      openKey={openId}
      pages={pages}
      rowKey={causeId}
      title="Errors"
    >
      <UnknownKeys />
    </CollectionPage>
  )
}

const periods = ["1h", "24h", "7d", "30d"] as const

interface NoErrorsProps {
  readonly period: Period
  readonly isOnlyNew: boolean
  readonly isFiltered: boolean
}

const NoErrors = ({ isFiltered, isOnlyNew, period }: NoErrorsProps) => {
  const zone = useZone()
  return isFiltered ? (
    <EmptyState title="No cause matches">No cause of this period is what the filter asks for.</EmptyState>
  ) : isOnlyNew ? (
    <EmptyState title="Nothing new was refused since yesterday">
      A cause is new for a day after its first operation. All causes of the period are one choice away.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing was refused in this period">
      {periodText(period, zone)}: every operation was applied completely. Operations that are rejected,
      dropped, ignored, or applied in part appear here by cause, with who sent them and what to do.
    </EmptyState>
  )
}
