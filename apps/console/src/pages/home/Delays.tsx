import type { ServerDocument } from "@inlethq/contract/server/Server"
import type { StatusDocument } from "@inlethq/contract/server/Status"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { byteSize, counted, duration } from "../../shared/values/figures.ts"
import { DestinationLink } from "../destinations/DestinationLink.tsx"
import { delayText } from "../destinations/destinationTexts.ts"
import { waitText } from "../destinations/hourBars.ts"
import { daysText } from "../health/diskDays.ts"
import type { HomeFacts } from "./findingsOf.ts"

interface DelaysProps {
  readonly w: string
  readonly facts: HomeFacts
  readonly isServerRefused: boolean
}

/** How far behind the log everything is that follows it, what is still being imported, and the room on the disk. */
export const Delays = ({ facts, isServerRefused, w }: DelaysProps) => {
  const { destinations = [], imports = [], server, status } = facts
  const running = imports.filter(({ ended_at }) => ended_at === null)
  return (
    <Section
      actions={
        <Link
          className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
          params={{ w }}
          to="/w/$w/health"
        >
          Health
        </Link>
      }
      title="What follows the log, and how far behind it is"
    >
      <ul className="divide-y divide-line text-sm">
        {destinations.map((destination) => (
          <Row
            key={`${destination.kind} ${destination.destination_id}`}
            name={<DestinationLink of={destination} w={w} />}
          >
            {delayText(destination)}
          </Row>
        ))}
        {destinations.length === 0 ? <Row name="Destinations">none</Row> : null}
        <Row name="Imports">
          {running.length === 0 ? "none is running" : `${counted(running.length, "file", "files")} under way`}
        </Row>
        {status === undefined ? null : (
          <Row name="Commit queue">
            {counted(status.queue.operations, "operation", "operations")}, {duration(status.queue.wait_ms)}
          </Row>
        )}
        {status?.rule_timers == null ? null : (
          <Row name="Rules about time, of all workspaces">{timersText(status.rule_timers)}</Row>
        )}
        {server === undefined || server.storage.bytes === null ? null : (
          <Row name="Disk">{diskText(server.storage)}</Row>
        )}
      </ul>
      {isServerRefused ? (
        <p className="pt-2 text-sm text-muted">
          The state of the server is about all workspaces, and not shown to you.
        </p>
      ) : null}
    </Section>
  )
}

interface RowProps {
  readonly name: ReactNode
  readonly children: ReactNode
}

const Row = ({ children, name }: RowProps) => (
  <li className="flex flex-wrap gap-x-3 py-1.5">
    <span className="mr-auto min-w-0 break-words">{name}</span>
    <span className="text-muted">{children}</span>
  </li>
)

const timersText = ({ late_seconds, people }: NonNullable<StatusDocument["rule_timers"]>): string =>
  people === 0
    ? "nobody waits"
    : `${counted(people, "person waits", "people wait")}, the first for ${waitText(late_seconds)}`

const diskText = ({ bytes, days_left: days, free_bytes: free }: ServerDocument["storage"]): string =>
  [
    `${byteSize(bytes ?? 0)} stored`,
    ...(free === null ? [] : [`${byteSize(free)} free`]),
    ...(days === null ? [] : [`full in ${daysText(days)} at the present rate`]),
  ].join(", ")
