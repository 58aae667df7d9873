import type { StatusDocument } from "@inlethq/contract/server/Status"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { byteSize, count, duration, rate } from "../../shared/values/figures.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { answerMsMax, commitMsMax, waitMsMax } from "./normal.ts"

type Quantiles = StatusDocument["recent"]["answer_ms"]

const quantiles = (ms: Quantiles, without: string): string =>
  ms === null ? without : `${duration(ms.p50)}, ${duration(ms.p99)}`

const isAbove = (ms: Quantiles, max: number): boolean => ms !== null && ms.p99 > max

interface Reading {
  readonly name: string
  readonly value: string
  /** The normal range of the figure, and the meaning of a value outside this range. */
  readonly normal: string
  readonly isUnusual?: boolean
}

const readingsOf = (status: StatusDocument): ReadonlyArray<Reading> => {
  const { committing, memory_bytes, queue, recent, store_bytes, uptime_seconds, version } = status
  const operations = recent.operations.reduce((sum, { per_second }) => sum + per_second, 0)
  return [
    {
      name: "Store",
      value: committing ? "can commit" : "cannot commit",
      normal:
        "While the store cannot commit, calls get the status 503 and clients repeat them. Check the disk or the database.",
      isUnusual: !committing,
    },
    {
      name: "Operations",
      value: rate(operations),
      normal: "The average of the last minute, in all workspaces of this node.",
    },
    {
      name: "Answer, p50 and p99",
      value: quantiles(recent.answer_ms, "no calls"),
      normal:
        "The time from the headers of a call to its answer: usually a few milliseconds more than a commit. Clients that send their bodies slowly make it longer.",
      isUnusual: isAbove(recent.answer_ms, answerMsMax),
    },
    {
      name: "Commit, p50 and p99",
      value: quantiles(recent.commit_ms, "no commits"),
      normal:
        "A few milliseconds on a local disk, more with large batches. A call waits for one commit, including its sync to disk.",
      isUnusual: isAbove(recent.commit_ms, commitMsMax),
    },
    {
      name: "Commits",
      value: rate(recent.commits_per_second),
      normal: "Calls that wait together share a commit, so this rate grows more slowly than the load.",
    },
    {
      name: "Queue",
      value: `${count(queue.operations)} waiting, ${duration(queue.wait_ms)}`,
      normal: "Close to 0. The server is not ready while an operation has waited for 30 s.",
      isUnusual: queue.wait_ms > waitMsMax / 10,
    },
    {
      name: "Stored data",
      value: store_bytes === null ? "in memory" : byteSize(store_bytes),
      normal: "Grows with people and events. Operations that are not events are removed after 30 days.",
    },
    {
      name: "Memory",
      value: byteSize(memory_bytes),
      normal: "Rises with the load and stays level. All queues and caches have limits.",
    },
    {
      name: "Uptime",
      value: uptime(uptime_seconds),
      normal: `Version ${version}. With several nodes on one database, these figures are of the node that answers.`,
    },
  ]
}

const hourSeconds = 3_600

const uptime = (seconds: number): string => {
  const hours = Math.floor(seconds / hourSeconds)
  const minutes = Math.floor((seconds % hourSeconds) / 60)
  return hours > 0 ? `${count(hours)} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

/** The figures of the server, each with a sentence about its normal range. */
export const Readings = ({ status }: { readonly status: StatusDocument }) => (
  <Section title="The server now">
    <dl className="divide-y divide-line text-sm">
      {readingsOf(status).map(({ isUnusual = false, name, normal, value }) => (
        <div
          className="grid gap-x-4 py-2 sm:grid-cols-[136px_120px_minmax(0,1fr)] 2xl:grid-cols-[160px_176px_minmax(0,1fr)]"
          key={name}
        >
          <dt className="text-muted">{name}</dt>
          <dd className={`flex items-center gap-1.5 self-start font-medium ${isUnusual ? "text-amber" : ""}`}>
            {value}
            {isUnusual ? <Icon className="size-3.5" name="partial" /> : null}
            {isUnusual ? <span className="sr-only">unusual</span> : null}
          </dd>
          <dd className="text-muted">{normal}</dd>
        </div>
      ))}
    </dl>
  </Section>
)
