import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { DataTable } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { periodText, type Period } from "../../shared/period.ts"
import { SearchedBack } from "../../shared/SearchedBack.tsx"
import { usePages } from "../../shared/usePages.ts"
import { columns } from "./columns.tsx"
import { operationKey, type OperationListProps } from "./LiveList.tsx"

/** The number of rows that are loaded at a time. */
const pageItems = 100

interface PeriodListProps extends OperationListProps {
  readonly period: Period
  readonly onEnd: () => void
}

/** The operations that were received in a period, newest first. */
export const PeriodList = ({ filter, onEnd, onOpen, openKey, period, w }: PeriodListProps) => {
  const { from: since, to: until } = period
  const pages = usePages([w, "activity", filter, since, until], (after, signal) =>
    api.activity.list(w, { filter, since, until, limit: pageItems, after }, signal),
  )
  return (
    <>
      <div className="flex h-8 shrink-0 items-center gap-2 px-4 text-xs text-muted">
        <span role="status">{periodText(period)}</span>
        <Button className="ml-auto h-6" icon="start" onClick={onEnd} tone="quiet">
          Back to live
        </Button>
      </div>
      {pages.searchedTo === null ? null : (
        <SearchedBack
          isSearching={pages.isLoadingMore}
          onContinue={pages.hasMore ? pages.loadMore : undefined}
          to={pages.searchedTo}
        />
      )}
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={
            pages.searchedTo === null ? (
              <EmptyState title="No operation in this period">
                Choose another period, or change the filter.
              </EmptyState>
            ) : (
              <EmptyState title="No match so far">Older operations of this period may match.</EmptyState>
            )
          }
          isLoading={pages.isLoading}
          label="Operations"
          onEnd={pages.loadMore}
          onOpen={(entry) => onOpen(entry.operation_id)}
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
