import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { count } from "../../shared/values/figures.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { clientText, keyText } from "../../shared/values/senderText.ts"
import { Trend } from "../../shared/values/Trend.tsx"
import { trendOf } from "../../shared/values/trendOf.ts"
import { causeText, countText, fieldText } from "./causes.ts"

const weekMs = 7 * 86_400_000

/** The trend of a row: the last seven days, which are known by hour. */
const trendOfRow = (cause: CauseDocument) => trendOf(cause, Date.now() - weekMs, Date.now())

/** The columns of the list of causes. */
export const causeColumns: ReadonlyArray<Column<CauseDocument>> = [
  {
    key: "outcome",
    term: ({ outcome }) => ({ key: "outcome", value: outcome }),
    header: "Outcome",
    width: "88px",
    text: ({ outcome }) => outcome,
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  {
    key: "cause",
    term: ({ reasons: [first] }) => (first === undefined ? null : { key: "reason", value: first.code }),
    header: "Cause",
    width: "minmax(120px, 5fr)",
    text: causeText,
    cell: (cause) => (
      <span className="flex min-w-0 items-center gap-2">
        {cause.new ? <Badge title="The first came within the last 24 hours">new</Badge> : null}
        <span className="truncate" title={causeText(cause)}>
          {causeText(cause)}
        </span>
      </span>
    ),
  },
  {
    key: "field",
    term: ({ reasons: [first] }) =>
      first === undefined || first.field === "" ? null : { key: "field", value: first.field },
    header: "Field",
    width: "minmax(72px, 2fr)",
    showFrom: 880,
    text: fieldText,
    cell: (cause) => (
      <span className="font-mono text-xs text-muted" title={fieldText(cause)}>
        {fieldText(cause)}
      </span>
    ),
  },
  {
    key: "clause",
    term: ({ rule }) => (rule === null ? null : { key: "rule", value: rule }),
    header: "Clause",
    width: "minmax(88px, 2fr)",
    showFrom: 1080,
    text: ({ rule }) => rule ?? "",
    cell: ({ rule }) => (
      <span className="text-muted" title={rule ?? undefined}>
        {rule}
      </span>
    ),
  },
  {
    key: "key",
    term: ({ sender }) => (keyText(sender) === "" ? null : { key: "key", value: keyText(sender) }),
    header: "Key",
    width: "minmax(72px, 1.5fr)",
    showFrom: 960,
    text: ({ sender }) => keyText(sender),
  },
  {
    key: "client",
    term: ({ sender }) => (sender?.user_agent == null ? null : { key: "client", value: sender.user_agent }),
    header: "Client",
    width: "minmax(96px, 2fr)",
    showFrom: 760,
    text: ({ sender }) => sender?.user_agent ?? "",
    cell: ({ sender }) => (
      <span className="text-muted" title={sender?.user_agent ?? undefined}>
        {clientText(sender)}
      </span>
    ),
  },
  {
    key: "count",
    header: "Count",
    width: "72px",
    align: "end",
    text: ({ count: number }) => String(number),
    cell: (cause) => (
      <span title={cause.exact ? undefined : "Hours are counted whole"}>{countText(cause)}</span>
    ),
  },
  {
    key: "trend",
    header: "7 days",
    width: "96px",
    showFrom: 660,
    text: ({ total }) => String(total),
    cell: (cause) => <Trend bars={trendOfRow(cause)} />,
  },
  {
    key: "affected",
    header: "Affected",
    width: "72px",
    align: "end",
    showFrom: 900,
    text: ({ affected }) => String(affected),
    cell: ({ affected }) => (
      <span title="About how many people and objects it concerned in all">
        {affected === 0 ? "" : count(affected)}
      </span>
    ),
  },
  timeColumn({ key: "last", header: "Last", width: "88px", showFrom: 480 }, ({ last }) => last.at),
  {
    key: "kind",
    header: "Kind",
    width: "96px",
    isExtra: true,
    text: ({ kind }) => kind ?? "",
    term: ({ kind }) => (kind === null ? null : { key: "kind", value: kind }),
  },
  {
    key: "path",
    header: "Path",
    width: "minmax(96px, 2fr)",
    isExtra: true,
    text: ({ sender }) => sender?.route ?? "",
    term: ({ sender }) => (sender?.route == null ? null : { key: "path", value: sender.route }),
  },
  {
    ...timeColumn({ key: "first", header: "First", width: "88px" }, ({ first }: CauseDocument) => first.at),
    isExtra: true,
  },
]
