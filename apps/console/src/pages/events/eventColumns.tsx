import { Link } from "@tanstack/react-router"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import type { RollingName } from "../../shared/time/period.ts"
import { Badge } from "../../shared/values/Badge.tsx"
import { count } from "../../shared/values/figures.ts"
import { Trend } from "../../shared/values/Trend.tsx"
import { trendOfDays } from "../../shared/values/trendOf.ts"
import { titleOf } from "../../shared/values/typeTitle.ts"
import type { EventRow } from "./eventRows.ts"
import { isNew } from "./eventTypes.ts"
import { misfitFilter } from "./misfitsQuery.ts"

/** The days of the small chart of a name. */
const trendDays = 30

const timeColumns: ReadonlyArray<Column<EventRow>> = [
  timeColumn(
    { key: "last", header: "Last", width: "88px", showFrom: 420 },
    ({ type }: EventRow) => type?.last.at ?? null,
  ),
  {
    ...timeColumn(
      { key: "first", header: "First", width: "88px" },
      ({ type }: EventRow) => type?.first.at ?? null,
    ),
    isExtra: true,
  },
]

/** The columns of the list of names. What did not fit a plan is counted in the shown period. */
export const eventColumns = (w: string, since: RollingName): ReadonlyArray<Column<EventRow>> => [
  {
    key: "name",
    header: "Name",
    width: "minmax(120px, 4fr)",
    text: titleOf,
    cell: (row) => <Name row={row} />,
  },
  {
    key: "count",
    header: "Count",
    width: "72px",
    align: "end",
    text: ({ type }) => String(type?.count ?? 0),
    cell: ({ type }) => count(type?.count ?? 0),
  },
  {
    key: "violations",
    header: "Violations",
    width: "84px",
    align: "end",
    text: ({ violations: { count: number, isExact } }) => (number === 0 && !isExact ? "" : String(number)),
    cell: (row) => <Violations row={row} since={since} w={w} />,
    term: ({ violations }) => (violations.count === 0 ? null : { key: "plan", value: "violated" }),
  },
  {
    key: "plan",
    header: "Plan",
    width: "64px",
    showFrom: 560,
    text: ({ plan }) => plan?.mode ?? "",
    cell: ({ plan }) => (plan === null ? <span className="text-faint">no plan</span> : plan?.mode),
    term: ({ plan }) => (plan === undefined ? null : { key: "plan", value: plan?.mode ?? "none" }),
  },
  {
    key: "days",
    header: "30 days",
    width: "minmax(96px, 2fr)",
    showFrom: 600,
    text: ({ type }) => (type?.days ?? []).map(({ count: number, day }) => `${day}: ${number}`).join(" "),
    cell: ({ type }) =>
      type === null ? null : <Trend bars={trendOfDays(type.days, trendDays, Date.now())} />,
  },
  {
    key: "senders",
    header: "Senders",
    width: "72px",
    align: "end",
    showFrom: 720,
    text: ({ type }) => String(type?.senders.length ?? 0),
    term: ({ type }) => {
      const client = type?.senders[0]?.sender?.user_agent
      return client == null ? null : { key: "client", value: client }
    },
  },
  {
    key: "paths",
    header: "Paths",
    width: "64px",
    align: "end",
    showFrom: 800,
    text: ({ type }) => String(type?.paths ?? 0),
  },
  ...timeColumns,
]

const Name = ({ row }: { readonly row: EventRow }) => {
  const { type } = row
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="truncate font-medium" title={titleOf(row)}>
        {titleOf(row)}
      </span>
      {type !== null && isNew(type) ? <Badge title="First within the last 24 hours">new</Badge> : null}
      {type === null ? (
        <Badge title="No operation that took effect was counted" tone="grey">
          not seen
        </Badge>
      ) : type.silent_since === null ? null : (
        <Badge title="Nothing for five times its usual pause" tone="grey">
          silent
        </Badge>
      )}
    </span>
  )
}

interface ViolationsProps {
  readonly w: string
  readonly row: EventRow
  readonly since: RollingName
}

/** How many operations did not fit, as a link to them. */
const Violations = ({ row, since, w }: ViolationsProps) => {
  const { count: number, isExact } = row.violations
  if (number === 0 && row.plan == null) return null
  if (number === 0)
    return (
      <span
        className="text-faint"
        title={isExact ? undefined : "Not known: more was rejected than was looked at"}
      >
        {isExact ? "0" : "–"}
      </span>
    )
  return (
    <Link
      className="inline-flex h-6 min-w-6 items-center justify-end font-medium text-red hover:underline"
      onClick={(event) => event.stopPropagation()}
      params={{ w }}
      search={{ filter: misfitFilter(row), last: since }}
      title={`Show the operations that do not fit in Live${isExact ? "" : ". The number is an estimate"}`}
      to="/w/$w/live"
    >
      {isExact ? "" : "~"}
      {count(number)}
    </Link>
  )
}
