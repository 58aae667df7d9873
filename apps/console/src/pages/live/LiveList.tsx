import { Link } from "@tanstack/react-router"
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { useSignedOut } from "../../session/goToSignIn.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { DataTable, type Column } from "../../shared/lists/DataTable.tsx"
import { DownloadList } from "../../shared/lists/DownloadList.tsx"
import { readItems } from "../../shared/lists/usePages.ts"
import type { NewTerm } from "../../shared/query/queryTerms.ts"
import { api } from "../../api/generated.ts"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { count } from "../../shared/values/figures.ts"
import { SearchedBack } from "../../shared/lists/SearchedBack.tsx"
import { useNow } from "../../shared/time/clock.ts"
import { boundsOf, rollingPeriods, type RollingName } from "../../shared/time/period.ts"
import { useShortcut } from "../../shared/fields/shortcuts.ts"
import { LiveFeed, type LiveState } from "./LiveFeed.ts"
import { MergedPerson } from "./MergedPerson.tsx"

/** The distance from the top, in pixels, at which scrolling down pauses the list. */
const pauseAfterPx = 24

export interface OperationListProps {
  readonly w: string
  readonly filter: string | undefined
  readonly openKey: string | undefined
  readonly columns: ReadonlyArray<Column<ActivityDocument>>
  /** Whether operations are left out that Inlet makes itself. */
  readonly hidesSystem: boolean
  readonly onOpen: (operationId: string) => void
  readonly onTerm: (term: NewTerm) => void
}

export const operationKey = ({ operation_id }: ActivityDocument): string => operation_id

interface LiveListProps extends OperationListProps {
  /** The rolling period to which the list is limited. */
  readonly last: RollingName | undefined
  /** Called with the operations that are listed, and with none when the list goes away. */
  readonly onListed: (rows: ReadonlyArray<ActivityDocument>) => void
}

/** The operations as they happen, newest on top. Scrolling down pauses the list. */
export const LiveList = ({
  columns,
  filter,
  hidesSystem,
  last,
  onListed,
  onOpen,
  onTerm,
  openKey,
  w,
}: LiveListProps) => {
  const [feed] = useState(
    () => new LiveFeed({ w, filter, hidesSystem, period: last === undefined ? undefined : { last } }),
  )
  const [jumps, setJumps] = useState(0)
  const state = useSyncExternalStore(feed.subscribe, feed.snapshot)
  const rows = useRecent(state.rows, last)
  useEffect(() => feed.start(), [feed])
  useEffect(() => {
    onListed(rows)
    return () => onListed(nothing)
  }, [onListed, rows])
  const resume = () => {
    feed.resume()
    setJumps(jumps + 1)
  }
  const readPage = (after: string | undefined, signal: AbortSignal, limit?: number) =>
    api.activity.list(
      w,
      { filter, ...boundsOf(last === undefined ? undefined : { last }), after, limit },
      signal,
    )
  useShortcut("space", "Pause or continue", () => (state.isPaused ? resume() : feed.pause()))
  if (useSignedOut(state.problem)) return null
  if (state.status === "failed" && state.problem !== null) {
    const isFilterWrong = filter !== undefined && state.problem.status === 400
    const what = isFilterWrong ? "This filter is not valid." : "The operations could not be loaded."
    return <ApiProblem problem={state.problem} what={what} />
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <StatusLine onPause={feed.pause} onResume={resume} state={state}>
        <DownloadList columns={columns} name="Operations" readAll={(max) => readItems(readPage, max)} />
      </StatusLine>
      {filter === undefined ? null : <Searching feed={feed} state={state} />}
      <DataTable
        columns={columns}
        empty={<NothingListed filter={filter} searchedTo={state.searchedTo} w={w} />}
        isLoading={state.isLoading}
        key={jumps}
        label="Operations"
        onEnd={feed.loadOlder}
        onOpen={(entry) => onOpen(entry.operation_id)}
        onTerm={onTerm}
        onScrolled={(top) => {
          if (top > pauseAfterPx) feed.pause()
        }}
        openKey={openKey}
        rowKey={operationKey}
        rows={rows}
      />
      {state.isPaused && state.newSincePause > 0 ? (
        <ShowNew onShow={resume} rows={state.newSincePause} />
      ) : null}
    </div>
  )
}

interface SearchingProps {
  readonly feed: LiveFeed
  readonly state: LiveState
}

const Searching = ({ feed, state: { isSearching, isStopped, searchedTo } }: SearchingProps) =>
  isSearching || isStopped ? (
    <SearchedBack
      isSearching={isSearching}
      onContinue={feed.loadOlder}
      onStop={feed.stopSearch}
      to={searchedTo}
    />
  ) : null

interface ShowNewProps {
  readonly rows: number
  readonly onShow: () => void
}

const ShowNew = ({ onShow, rows }: ShowNewProps) => (
  <button
    className="absolute bottom-4 left-1/2 z-20 h-8 -translate-x-1/2 rounded-full bg-accent-solid px-4 text-sm font-medium text-accent-ink shadow-lg pointer-coarse:h-11"
    onClick={onShow}
    type="button"
  >
    Show {count(rows)} new
  </button>
)

const nothing: ReadonlyArray<ActivityDocument> = []

/** Returns the rows that a rolling period still contains. */
const useRecent = (rows: LiveState["rows"], last: RollingName | undefined): LiveState["rows"] => {
  const now = useNow()
  return useMemo(() => {
    if (last === undefined) return rows
    const from = now - rollingPeriods[last].ms
    return rows.filter(({ received_at }) => Date.parse(received_at) >= from)
  }, [rows, last, now])
}

interface StatusLineProps {
  readonly children: ReactNode
  readonly state: LiveState
  readonly onPause: () => void
  readonly onResume: () => void
}

const words: Readonly<Record<LiveState["status"], string>> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting. Nothing is lost: the list continues where it stopped",
  failed: "Stopped",
}

const StatusLine = ({ children, onPause, onResume, state }: StatusLineProps) => (
  <div className="flex h-8 shrink-0 items-center gap-2 px-4 text-xs text-muted">
    <span
      aria-hidden="true"
      className={`size-2 rounded-full ${state.status === "live" && !state.isPaused ? "bg-green" : "bg-line-strong"}`}
    />
    <span role="status">{state.isPaused ? "Paused" : words[state.status]}</span>
    {state.oneIn > 1 ? (
      <span>· showing 1 in {count(state.oneIn)}, and every rejected or partial operation</span>
    ) : null}
    <span className="ml-auto" />
    {children}
    <Button
      className="h-6"
      icon={state.isPaused ? "start" : "pause"}
      onClick={state.isPaused ? onResume : onPause}
      tone="quiet"
    >
      {state.isPaused ? "Continue" : "Pause"}
    </Button>
  </div>
)

interface NothingListedProps {
  readonly w: string
  readonly filter: string | undefined
  readonly searchedTo: string | null
}

const NothingListed = ({ filter, searchedTo, w }: NothingListedProps) =>
  searchedTo === null ? (
    <NothingYet filter={filter} w={w} />
  ) : (
    <EmptyState title="No match so far">
      Older operations may match. New ones that match appear here as they happen.
    </EmptyState>
  )

const NothingYet = ({ filter, w }: { readonly filter: string | undefined; readonly w: string }) =>
  filter === undefined ? (
    <EmptyState title="Nothing has arrived yet">
      Every call that this workspace receives appears here within a second, with what was decided.{" "}
      <Link className="text-accent hover:underline" params={{ w }} to="/w/$w/start">
        Send your first event
      </Link>
    </EmptyState>
  ) : (
    <EmptyState example="kind:event -outcome:applied" title="No operation matches">
      <MergedPerson filter={filter} w={w} /> Operations that match the filter appear here as they happen.{" "}
      {/(?:^|\s)person:/.test(filter)
        ? "Rejected calls belong to nobody: find them by name, reason, key or client. "
        : null}
      This filter shows the events that were not applied:
    </EmptyState>
  )
