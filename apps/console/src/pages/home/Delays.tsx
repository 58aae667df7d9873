import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { byteSize, counted, duration } from "../../shared/values/figures.ts"
import type { HomeFacts } from "./findingsOf.ts"

interface DelaysProps {
  readonly w: string
  readonly facts: HomeFacts
  readonly isServerRefused: boolean
}

/** How far behind the log everything is that follows it, and what is still being imported. */
export const Delays = ({ facts, isServerRefused, w }: DelaysProps) => {
  const { imports = [], lake, server, status, webhooks = [] } = facts
  const running = imports.filter(({ ended_at }) => ended_at === null)
  const enabled = webhooks.filter(({ enabled: isEnabled }) => isEnabled)
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
        {enabled.map(({ name, url, waiting, webhook_id }) => (
          <Row key={webhook_id} name={`Webhook ${name === "" ? url : name}`}>
            {counted(waiting.entries, "entry", "entries")} behind,{" "}
            {counted(waiting.events, "event", "events")} waiting
          </Row>
        ))}
        {enabled.length === 0 ? <Row name="Webhooks">none is enabled</Row> : null}
        <Row name="Lake">{lakeText(lake)}</Row>
        {server?.kafka == null ? null : (
          <Row name="Kafka">
            {counted(server.kafka.lag_entries, "entry", "entries")} behind, the oldest{" "}
            {duration(server.kafka.lag_seconds * 1000)} old
          </Row>
        )}
        <Row name="Imports">
          {running.length === 0 ? "none is running" : `${counted(running.length, "file", "files")} under way`}
        </Row>
        {status === undefined ? null : (
          <Row name="Commit queue">
            {counted(status.queue.operations, "operation", "operations")}, {duration(status.queue.wait_ms)}
          </Row>
        )}
        {status?.store_bytes == null ? null : <Row name="Stored data">{byteSize(status.store_bytes)}</Row>}
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
  readonly name: string
  readonly children: ReactNode
}

const Row = ({ children, name }: RowProps) => (
  <li className="flex flex-wrap gap-x-3 py-1.5">
    <span className="mr-auto min-w-0 break-words">{name}</span>
    <span className="text-muted">{children}</span>
  </li>
)

const lakeText = (lake: HomeFacts["lake"]): string => {
  if (lake === undefined || lake.target === null) return "not started"
  return lake.lag === 0 ? "has everything" : `${counted(lake.lag, "operation waits", "operations wait")}`
}
