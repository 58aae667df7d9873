import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { DataTable } from "../../shared/lists/DataTable.tsx"
import { DownloadList } from "../../shared/lists/DownloadList.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { SearchedBack } from "../../shared/lists/SearchedBack.tsx"
import { periodText, type FixedPeriod } from "../../shared/time/period.ts"
import { useSearchOn } from "../../shared/lists/useSearchOn.ts"
import { usePages } from "../../shared/lists/usePages.ts"
import { useZone } from "../../shared/time/zone.ts"
import { operationKey, type OperationListProps } from "./LiveList.tsx"
import { MergedPerson } from "./MergedPerson.tsx"

/** The number of rows that are loaded at a time. */
const pageItems = 100

interface PeriodListProps extends OperationListProps {
  readonly period: FixedPeriod
  readonly onEnd: () => void
}

/** The operations that were received between two times, newest first. */
export const PeriodList = (props: PeriodListProps) => {
  const { columns, filter, hidesSystem, onEnd, onOpen, onTerm, openKey, period, w } = props
  const { from: since, to: until } = period
  const asked = filter ?? (hidesSystem ? "-source:system" : undefined)
  const pages = usePages([w, "activity", asked, since, until], (after, signal, limit = pageItems) =>
    api.activity.list(w, { filter: asked, since, until, limit, after }, signal),
  )
  const search = useSearchOn(pages, pages.items.length, filter !== undefined)
  const isStopped = filter !== undefined && !search.isSearching && pages.hasMore && pages.items.length === 0
  return (
    <>
      <div className="flex h-8 shrink-0 items-center gap-2 px-4 text-xs text-muted">
        <span role="status">{periodText(period, useZone())}</span>
        <span className="ml-auto" />
        <DownloadList columns={columns} name="Operations" readAll={pages.readAll} />
        <Button className="h-6" icon="start" onClick={onEnd} tone="quiet">
          Back to live
        </Button>
      </div>
      {search.isSearching || isStopped ? (
        <SearchedBack
          isSearching={search.isSearching}
          onContinue={search.goOn}
          onStop={search.stop}
          to={pages.searchedTo}
        />
      ) : null}
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            pages.searchedTo === null ? (
              <EmptyState title="No operation in this period">
                {filter === undefined ? null : <MergedPerson filter={filter} w={w} />} Choose another period,
                or change the filter.
              </EmptyState>
            ) : (
              <EmptyState title="No match so far">Older operations of this period may match.</EmptyState>
            )
          }
          isLoading={pages.isLoading}
          label="Operations"
          onEnd={pages.loadMore}
          onOpen={(entry) => onOpen(entry.operation_id)}
          onTerm={onTerm}
          openKey={openKey}
          rowKey={operationKey}
          rows={pages.items}
        />
      ) : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what="The operations could not be loaded."
        />
      )}
    </>
  )
}
