import type { DriftDocument } from "@inlethq/contract/types/EventTypes"
import { Link } from "@tanstack/react-router"
import { Badge } from "../values/Badge.tsx"
import { senderText } from "../values/senderText.ts"
import { titleOf } from "../values/typeTitle.ts"
import { Time } from "../time/Time.tsx"

/** A change, or that operations did not fit the plan of their name. */
export interface ShownChange extends Omit<DriftDocument, "change"> {
  readonly change: DriftDocument["change"] | "misfit"
}

type Change = ShownChange["change"]

/** What each change is called, and how it is shown: what may break a reader is red. */
const words: Readonly<Record<Change, readonly [word: string, tone: "accent" | "grey" | "red"]>> = {
  misfit: ["does not fit", "red"],
  new_name: ["new name", "accent"],
  new_path: ["new path", "accent"],
  widened_type: ["other type", "red"],
  presence_fell: ["missing", "red"],
  similar_name: ["similar name", "red"],
  silent: ["silent", "grey"],
}

interface DriftRowsProps {
  readonly w: string
  readonly items: ReadonlyArray<ShownChange>
  /** True if the rows are about one name, which then is not repeated. */
  readonly isOfOneName?: boolean
}

/** The changes in the order of what may break, without a word about those that their name says. */
const order: ReadonlyArray<Change> = [
  "misfit",
  "widened_type",
  "presence_fell",
  "similar_name",
  "silent",
  "new_name",
  "new_path",
]

/** Returns changes with what may break first, and then the newest. */
export const byWeight = (items: ReadonlyArray<ShownChange>): ReadonlyArray<ShownChange> =>
  items.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change))

/** Changes of what operations look like, each with who sent the operation that shows it, and a link to it. */
export const DriftRows = ({ isOfOneName = false, items, w }: DriftRowsProps) => (
  <div className="@container">
    <ul className="divide-y divide-line text-sm">
      {items.map((item) => (
        <li
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 py-1.5 @md:grid-cols-[104px_minmax(0,1fr)_auto] @3xl:grid-cols-[104px_minmax(0,3fr)_minmax(0,2fr)_88px]"
          key={`${item.change} ${item.kind} ${item.name} ${item.path}`}
        >
          <span className="flex min-h-5 items-center pointer-coarse:min-h-11">
            <Badge tone={words[item.change][1]}>{words[item.change][0]}</Badge>
          </span>
          <span className="min-w-0 break-words @max-md:col-span-2 @max-md:row-start-2">
            <What isOfOneName={isOfOneName} item={item} w={w} />
          </span>
          <span
            className="truncate text-muted @max-md:col-span-2 @max-md:row-start-3 @md:@max-3xl:col-start-2 @md:@max-3xl:row-start-2"
            title={item.sender?.user_agent ?? undefined}
          >
            {senderText(item.sender)}
          </span>
          <Link
            className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
            params={{ w, operationId: item.operation_id }}
            to="/w/$w/operations/$operationId"
          >
            <Time at={item.at} />
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

interface WhatProps {
  readonly w: string
  readonly item: ShownChange
  readonly isOfOneName: boolean
}

/** The name that changed, and how. */
const What = ({ isOfOneName, item: { change, kind, name, summary }, w }: WhatProps) => {
  if (isOfOneName) return summary
  const isSaid = change === "new_name" || change === "silent"
  return (
    <>
      <Link
        className={`font-medium hover:underline ${isSaid ? "pointer-coarse:inline-block pointer-coarse:min-w-11 pointer-coarse:py-3" : ""}`}
        params={{ w, kind, name }}
        search
        to="/w/$w/events/$kind/$name"
      >
        {titleOf({ kind, name })}
      </Link>
      {isSaid ? null : <span className="text-muted">{` ${summary}`}</span>}
    </>
  )
}
