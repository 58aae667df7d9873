import type { NodeDocument } from "@inlethq/contract/server/Server"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { duration } from "../../shared/values/figures.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { Time } from "../../shared/time/Time.tsx"

/**
 * A node whose last sign of life is more than this many milliseconds ago is shown as silent. A running node records a
 * sign of life every 15 seconds.
 */
const silentMsMax = 60_000

/** A node's clock is shown as unusual if it differs from the database's clock by more than this many milliseconds. */
const clockMsMax = 1_000

interface NodesProps {
  readonly nodes: ReadonlyArray<NodeDocument>
  /** False if the server could not read the other nodes from the database. */
  readonly areAllKnown: boolean
}

/** The server processes that share the database, with their last sign of life and their clocks. */
export const Nodes = ({ areAllKnown, nodes }: NodesProps) => (
  <Section title="Nodes">
    <ul className="divide-y divide-line text-sm">
      {nodes.map((node) => (
        <li
          className="grid grid-cols-2 gap-x-4 py-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)]"
          key={node.id}
        >
          <span className="truncate" title={node.id}>
            {node.host}
            {node.answering ? <span className="text-muted"> (answers)</span> : null}
          </span>
          <span className="text-muted">
            version {node.version}, started <Time at={node.started_at} />
          </span>
          <Reading isUnusual={node.silent_ms > silentMsMax}>{lifeOf(node)}</Reading>
          <Reading isUnusual={Math.abs(node.clock_ahead_ms) > clockMsMax}>{clockOf(node)}</Reading>
        </li>
      ))}
    </ul>
    {areAllKnown ? null : (
      <p className="pt-2 text-sm text-amber">The other nodes could not be read from the database.</p>
    )}
    <p className="pt-2 text-sm text-muted">
      On PostgreSQL, every node records each 15 s that it runs. A node that was killed is listed for a day.
      All nodes have the same version, except during an upgrade, and their clocks differ by less than a
      second.
    </p>
  </Section>
)

interface ReadingProps {
  readonly isUnusual: boolean
  readonly children: string
}

const Reading = ({ children, isUnusual }: ReadingProps) => (
  <span className={`flex items-center gap-1.5 ${isUnusual ? "text-amber" : ""}`}>
    {children}
    {isUnusual ? <Icon className="size-3.5" name="partial" /> : null}
    {isUnusual ? <span className="sr-only">unusual</span> : null}
  </span>
)

const lifeOf = ({ silent_ms }: NodeDocument): string =>
  silent_ms > silentMsMax ? `silent for ${duration(silent_ms)}` : "running"

/** Describes how far the clock of a node is ahead or behind. Returns an empty text if the clocks agree. */
const clockOf = ({ clock_ahead_ms: ahead }: NodeDocument): string => {
  if (ahead === 0) return ""
  return `clock ${duration(Math.abs(ahead))} ${ahead > 0 ? "ahead" : "behind"}`
}
