import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { ok, warning, type Check } from "./Check.ts"

/** The largest number of workspaces whose destinations `inlet doctor` looks at, and of destinations in each. */
const workspacesMax = 20
const destinationsMax = 50

/** The longest wait for all of them. */
const answerWithin = "5 seconds"

/** A destination that is further behind than this many seconds is named, as the alerts for Prometheus do. */
const lagSecondsSlow = 300

/** `inlet doctor` names at most this many destinations. */
const namedMax = 5

interface Found {
  readonly workspace: number
  readonly destination: DestinationDocument
}

/** Names the webhooks, the forwards and the lakes that fail or are far behind. Another check looks at Kafka. */
export const checkDestinations = Effect.gen(function* () {
  const client = yield* ManagementClient
  const { items } = yield* client.workspaces.list({ query: { limit: workspacesMax, order: "asc" } })
  const found = yield* Effect.forEach(items, ({ environment_id: w }) =>
    Effect.map(
      client.destinations.list({ params: { w }, query: { limit: destinationsMax } }),
      (page): ReadonlyArray<Found> => page.items.map((destination) => ({ workspace: w, destination })),
    ),
  )
  return destinationChecks(found.flat())
}).pipe(
  Effect.timeout(answerWithin),
  Effect.orElseSucceed(() => [
    warning(
      "destinations",
      "how far webhooks, forwards and lakes are is not known",
      "Run `inlet doctor` again when the server is less busy.",
    ),
  ]),
)

/** Returns nothing if there are no destinations. */
export const destinationChecks = (all: ReadonlyArray<Found>): ReadonlyArray<Check> => {
  const found = all.filter(({ destination: { enabled, kind } }) => enabled && kind !== "kafka")
  if (found.length === 0) return []
  const wrong = found.filter(
    ({ destination: { lag_seconds: lag, last_error: error } }) =>
      error !== null || lag === null || lag > lagSecondsSlow,
  )
  if (wrong.length === 0) return [ok("destinations", `all ${found.length} send`)]
  const named = wrong.slice(0, namedMax).map(textOf)
  const more = wrong.length > namedMax ? [`${wrong.length - namedMax} more`] : []
  return [
    warning(
      "destinations",
      [...named, ...more].join("; "),
      "Look at Destinations in the console, or at `inlet webhooks attempts` and `inlet forwards attempts`.",
    ),
  ]
}

const textOf = ({ destination, workspace }: Found): string => {
  const { kind, last_error: error, lag_seconds: lag, name, url, waiting } = destination
  const waits = waiting.entries + waiting.operations
  const behind = waits === 0 ? "" : `, ${waits} wait${lag === null ? "" : `, for ${lag} s`}`
  return `${kind} ${name === "" ? url : name} of workspace ${workspace}${behind}${error === null ? "" : `: ${error}`}`
}
