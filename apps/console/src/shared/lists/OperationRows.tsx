import { operationTitle, type OperationTitle } from "@inlethq/log/explanation/operationTitle"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { Outcome } from "../values/Outcome.tsx"
import { ClockTime } from "../time/Time.tsx"
import { useZone, zoneOptions, type Zone } from "../time/zone.ts"

interface OperationRowsProps {
  readonly w: string
  readonly entries: ReadonlyArray<ActivityDocument>
}

/** Operations in a panel, with a heading for each day. A click on a row opens the explanation of the operation. */
export const OperationRows = ({ entries, w }: OperationRowsProps) => (
  <div className="-mx-4">
    {daysOf(entries, useZone()).map(([day, ofDay]) => (
      <section aria-label={day} key={day}>
        <h4 className="flex h-8 items-center border-t border-line px-4 text-xs text-faint">{day}</h4>
        <ul>
          {ofDay.map((entry) => (
            <li key={entry.operation_id}>
              <Link
                className="grid h-8 grid-cols-[112px_96px_minmax(0,1fr)] items-center gap-3 border-t border-line px-4 text-sm hover:bg-hover pointer-coarse:h-11"
                params={{ w, operationId: entry.operation_id }}
                to="/w/$w/operations/$operationId"
              >
                <span className="font-mono text-xs text-muted">
                  <ClockTime at={entry.received_at} />
                </span>
                <Outcome outcome={entry.outcome} />
                <Title {...operationTitle(entry)} />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)

const Title = ({ kind, name }: OperationTitle) => (
  <span className="truncate">
    <span className={name === null ? "" : "text-muted max-sm:hidden"}>{kind}</span>{" "}
    <span className="font-medium">{name}</span>
  </span>
)

const day = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const

type DayEntries = readonly [day: string, entries: ReadonlyArray<ActivityDocument>]

/** Groups entries by the day of their receipt, in the order of the entries. */
const daysOf = (entries: ReadonlyArray<ActivityDocument>, zone: Zone): ReadonlyArray<DayEntries> => {
  const format = new Intl.DateTimeFormat("en", { ...day, ...zoneOptions(zone) })
  return [...Map.groupBy(entries, ({ received_at }) => format.format(new Date(received_at)))]
}
