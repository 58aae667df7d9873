import type { KafkaDocument, ServerDocument } from "@inlethq/contract/server/Server"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { connect } from "node:net"
import { Connection, managementLayer } from "../server/Connection.ts"
import { failed, ok, warning, type Check } from "./Check.ts"
import { checkDatabase } from "./databaseChecks.ts"
import { checkStorage } from "./storageChecks.ts"
import { checkDestinations } from "./destinationChecks.ts"
import { checkSignIn } from "./signInCheck.ts"
import { sizeText } from "../output/text.ts"

/** The longest wait for an answer of the server. */
const answerWithin = "5 seconds"

const Readiness = Schema.fromJsonString(
  Schema.Struct({ status: Schema.String, reason: Schema.optionalKey(Schema.String) }),
)

/** Checks that the server answers, is ready and accepts the token. Also checks the server's clock, version and queue. */
export const checkServer = (version: string) =>
  Effect.gen(function* () {
    const { token, url } = yield* Connection
    const answered = yield* HttpClient.execute(HttpClientRequest.get(`${url}/health/ready`)).pipe(
      Effect.timeout(answerWithin),
      Effect.option,
    )
    if (Option.isNone(answered)) return [yield* unreachable(url)]
    const response = answered.value
    const text = yield* Effect.orElseSucceed(response.text, () => "")
    const health = Result.getOrUndefined(Schema.decodeUnknownResult(Readiness)(text))
    if (health === undefined) {
      return [
        failed("server", `what answers at ${url} is not an Inlet server`, "Correct --url or INLET_URL."),
      ]
    }
    const ready =
      health.status === "ready"
        ? ok("server", `ready at ${url}`)
        : failed(
            "server",
            `not ready at ${url}: ${health.reason ?? "unknown reason"}`,
            "Read the log of the server. The cause is most often a full or slow disk.",
          )
    const clock = yield* checkClock(response.headers["date"])
    if (Result.isFailure(token)) return [ready, clock, failed("token", "not known", token.failure.message)]
    return [ready, clock, ...(yield* checkDetails(version)), ...(yield* checkSignIn(url))]
  })

/**
 * Returns the failed check for a server that does not answer. The advice depends on whether the server's port accepts
 * connections.
 */
const unreachable = Effect.fnUntraced(function* (url: string) {
  const { hostname, port, protocol } = new URL(url)
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
  const isOpen = yield* isListening(hostname.replace(/^\[|\]$/g, ""), number)
  return isOpen
    ? failed(
        "server",
        `port ${number} of ${hostname} is open, but no server answers there`,
        "Another program may use the port, or the server may hang. Stop it, or set INLET_PORT to another port.",
      )
    : failed(
        "server",
        `nothing listens on port ${number} of ${hostname}`,
        "Start the server with `inlet serve`, or set --url to where it runs.",
      )
})

const connectMsMax = 3000

const isListening = (host: string, port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect({ host, port, timeout: connectMsMax })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resume(Effect.succeed(isOpen))
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
    socket.once("timeout", () => end(false))
  })

const clockDifferenceMsMax = 5000

/**
 * Compares the clock of this machine with the clock of the server. The server orders updates by time, so an update with
 * a wrong time may lose to an older update.
 */
const checkClock = Effect.fnUntraced(function* (date: string | undefined) {
  const server = Date.parse(date ?? "")
  if (Number.isNaN(server))
    return warning("clock", "the server sends no date", "Compare the clocks yourself.")
  const now = yield* Clock.currentTimeMillis
  const difference = Math.round(Math.abs(now - server) / 1000)
  return Math.abs(now - server) <= clockDifferenceMsMax
    ? ok("clock", "this machine and the server agree")
    : warning(
        "clock",
        `this machine and the server differ by ${difference} s`,
        "Set both clocks by NTP. Updates are ordered by time, so a wrong clock makes newer values lose.",
      )
})

const checkDetails = (version: string) =>
  Effect.gen(function* () {
    const client = yield* ManagementClient
    const server = yield* Effect.result(Effect.timeout(client.server.get(), answerWithin))
    if (Result.isFailure(server)) {
      const advice =
        "Set --token or INLET_MANAGEMENT_TOKEN to the content of the file management-token in the server's data directory."
      return [failed("token", "the server does not accept the management token", advice)]
    }
    return [
      ok("token", "accepted"),
      checkVersion(version, server.success),
      ok("server's node", server.success.node_version),
      checkQueue(server.success),
      ...(yield* checkRefused(server.success)),
      ...checkDatabase(server.success),
      ...checkStorage(server.success.storage),
      ...checkKafka(server.success.kafka),
      ...checkErasing(server.success),
      ...(yield* checkDestinations),
      ...(yield* checkSpaceOfWorkspaces),
    ]
  }).pipe(Effect.provide(managementLayer))

/** The largest number of workspaces that `inlet doctor` measures. */
const estimatedWorkspacesMax = 20

/** `inlet doctor` prints at most this many workspaces: the workspaces that need the most space. */
const namedWorkspacesMax = 3

/** The share of `records_max` from which `inlet doctor` warns. */
const nearlyFullShare = 0.9

/**
 * Finds the names and sizes of the workspaces that need the most space, and warns about each workspace that stores nearly
 * as many records as it may.
 */
const checkSpaceOfWorkspaces = Effect.gen(function* () {
  const client = yield* ManagementClient
  const { items } = yield* client.workspaces.list({ query: { limit: estimatedWorkspacesMax, order: "asc" } })
  const sizes = yield* Effect.forEach(items, ({ environment_id: w, name, records_max: max }) =>
    Effect.map(client.workspaces.usage({ params: { w } }), ({ bytes, records }) => ({
      bytes,
      name,
      records,
      max,
    })),
  )
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, namedWorkspacesMax)
  const texts = largest.map(({ bytes, name }) => `${name} ${sizeText(bytes)}`)
  const full = sizes.filter(({ max, records }) => max !== null && records >= nearlyFullShare * max)
  return [
    ok("workspaces", `largest by estimated data: ${texts.join(", ")}`),
    ...full.map(({ max, name, records }) =>
      warning(
        "records",
        `${name} stores ${records} of at most ${max} records`,
        "Delete people and objects that are not needed, or raise the limit with `inlet workspaces update --records-max`.",
      ),
    ),
  ]
}).pipe(
  Effect.timeout(answerWithin),
  Effect.orElseSucceed(() => [
    warning(
      "workspaces",
      "the size of their data is not known",
      "Run `inlet doctor` again when the server is less busy.",
    ),
  ]),
)

const checkVersion = (version: string, server: ServerDocument): Check =>
  server.version === version
    ? ok("version", version)
    : warning(
        "version",
        `the server has ${server.version}, this command ${version}`,
        "Use the same version for both, so that every command works.",
      )

const queueWaitMsSlow = 1000

const checkQueue = ({ committing, queue_wait_ms }: ServerDocument): Check => {
  if (!committing) {
    return failed("queue", "the store cannot commit", "Check disk space and the log of the server.")
  }
  return queue_wait_ms > queueWaitMsSlow
    ? warning(
        "queue",
        `the oldest operation has waited ${queue_wait_ms} ms`,
        "The disk is too slow for the load, or the machine is busy. Compare with the line on disk sync.",
      )
    : ok("queue", "no operation waits")
}

const refusedMsRecent = 60 * 60 * 1000

/** Warns of calls that the server refused in the last hour before a workspace could record them. */
const checkRefused = ({ refused_calls }: ServerDocument) =>
  Effect.map(Clock.currentTimeMillis, (now): ReadonlyArray<Check> => {
    const all = refused_calls.filter(({ last_at }) => now - Date.parse(last_at) < refusedMsRecent)
    const recent = all.filter(({ reason }) => reason !== "sends_messages")
    const sends = all.filter(({ reason }) => reason === "sends_messages")
    const [latest] = recent
    if (latest === undefined) return checkSends(sends)
    const counts = new Map<string, number>()
    for (const { calls, reason } of recent) counts.set(reason, (counts.get(reason) ?? 0) + calls)
    const counted = Array.from(counts, ([reason, calls]) => `${calls} ${reason}`).join(", ")
    return [
      warning(
        "refused",
        `calls that no workspace recorded: ${counted}; the latest from ${latest.address ?? "an unknown address"}`,
        "Health in the console lists them by address. Compare keys with `inlet keys list`, and rates with `rate_requests`.",
      ),
      ...checkSends(sends),
    ]
  })

/** Warns of programs that ask Inlet to send messages. */
const checkSends = (sends: ServerDocument["refused_calls"]): ReadonlyArray<Check> => {
  const [latest] = sends
  if (latest === undefined) return []
  const calls = sends.reduce((sum, one) => sum + one.calls, 0)
  return [
    warning(
      "sends",
      `calls that asked to send messages, which Inlet does not: ${calls}; the latest from ${latest.address ?? "an unknown address"}, ${latest.route ?? "unknown"}`,
      "Point the program that sends messages to the service that sends them. Health in the console lists the addresses.",
    ),
  ]
}

/** Names the deleted workspaces that are still being erased. Returns nothing if there are none. */
const checkErasing = ({ erasing_workspaces }: ServerDocument): ReadonlyArray<Check> => {
  if (erasing_workspaces.length === 0) return []
  const named = erasing_workspaces.map(
    ({ deleted_at, environment_id }) => `${environment_id} (since ${deleted_at})`,
  )
  return [ok("erasing", `deleted workspaces with data that are not erased yet: ${named.join(", ")}`)]
}

const kafkaLagSecondsSlow = 60

/** Checks the copies of activity logs in Kafka. Returns nothing if the server does not use Kafka. */
const checkKafka = (kafka: KafkaDocument | null): ReadonlyArray<Check> => {
  if (kafka === null) return []
  const { failure, lag_entries, lag_seconds, sending, workspaces } = kafka
  if (!sending) return [ok("kafka", "another server on the same database sends")]
  if (failure !== null) {
    return [
      failed(
        "kafka",
        `entries that wait: ${lag_entries}. ${failure}`,
        "Check that the brokers of INLET_KAFKA run and accept the topic. Inlet retries, and sends what waits.",
      ),
    ]
  }
  return lag_seconds > kafkaLagSecondsSlow
    ? [
        warning(
          "kafka",
          `entries that wait: ${lag_entries}, the oldest since ${Math.round(lag_seconds)} s`,
          "The brokers or the server are too slow for the load. Compare inlet_kafka_sent_total with the rate of ingestion.",
        ),
      ]
    : [ok("kafka", `copied workspaces: ${workspaces}, entries that wait: ${lag_entries}`)]
}
