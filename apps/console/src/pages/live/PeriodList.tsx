import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/api.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { DataTable } from "../../shared/DataTable.tsx"
import { EmptyState } from "../../shared/EmptyState.tsx"
import { usePages } from "../../shared/usePages.ts"
import { columns } from "./columns.tsx"
import { operationKey, type OperationListProps } from "./LiveList.tsx"
import { cursorBefore, type Period } from "./period.ts"

/** The number of rows that are loaded at a time. */
const pageItems = 100

interface PeriodListProps extends OperationListProps {
  readonly period: Period
  readonly onEnd: () => void
}

const shortTime = (iso: string): string => new Date(iso).toLocaleTimeString("en-GB")

/** The operations that were received in a period, newest first. */
export const PeriodList = (props: PeriodListProps) => {
  const { onEnd, period, w } = props
  const start = useQuery({
    queryKey: [w, "cursor", period.to],
    queryFn: async ({ signal }) => ({ cursor: await cursorBefore(w, period.to, signal) }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <div className="flex h-8 shrink-0 items-center gap-2 px-4 text-xs text-muted">
        <span role="status">
          From {shortTime(period.from)} to {shortTime(period.to)}
        </span>
        <Button className="ml-auto h-6" icon="start" onClick={onEnd} tone="quiet">
          Back to live
        </Button>
      </div>
      {start.error === null ? null : (
        <ApiProblem problem={start.error} what="The operations could not be loaded." />
      )}
      {start.data === undefined ? null : <Rows {...props} cursor={start.data.cursor} />}
    </>
  )
}

const Rows = ({
  cursor,
  filter,
  onOpen,
  openKey,
  period,
  w,
}: PeriodListProps & { readonly cursor: string | undefined }) => {
  const pages = usePages([w, "activity", filter, period.from, period.to], async (after, signal) => {
    const page = await api.activity.list(w, { filter, limit: pageItems, after: after ?? cursor }, signal)
    const items = page.items.filter(({ received_at }) => received_at >= period.from)
    return { items, next: items.length < page.items.length ? null : page.next }
  })
  if (pages.problem !== null) {
    return (
      <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The operations could not be loaded." />
    )
  }
  return (
    <DataTable
      columns={columns}
      empty={
        <EmptyState title="No operation in this period">
          Choose another period on the chart, or change the filter.
        </EmptyState>
      }
      isLoading={pages.isLoading}
      label="Operations"
      onEnd={pages.loadMore}
      onOpen={(entry) => onOpen(entry.operation_id)}
      openKey={openKey}
      rowKey={operationKey}
      rows={pages.items}
    />
  )
}
