import type { AlertDocument } from "@inlethq/contract/alerts/Alerts"
import type { ServerDocument } from "@inlethq/contract/server/Server"
import type { StatusDocument } from "@inlethq/contract/server/Status"
import type { CauseDocument, DriftDocument } from "@inlethq/contract/types/EventTypes"
import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { ImportDocument, LakeDocument } from "../../api/documents.ts"
import { count, counted, duration } from "../../shared/values/figures.ts"
import { daysLow, daysMin, daysText } from "../health/diskDays.ts"
import { waitMsMax } from "../health/normal.ts"
import { percent } from "../events/shapeRows.ts"
import type { DayStats } from "./dayStats.ts"
import { alertPage, type FindingPage } from "./FindingPage.ts"

/** What Home knows. What could not be read, or may not, is undefined. */
export interface HomeFacts {
  readonly now: number
  readonly day: DayStats | undefined
  readonly alerts: ReadonlyArray<AlertDocument> | undefined
  readonly causes: ReadonlyArray<CauseDocument> | undefined
  readonly drift: ReadonlyArray<DriftDocument> | undefined
  readonly webhooks: ReadonlyArray<WebhookDocument> | undefined
  readonly destinations: ReadonlyArray<DestinationDocument> | undefined
  readonly lake: LakeDocument | undefined
  readonly imports: ReadonlyArray<ImportDocument> | undefined
  readonly status: StatusDocument | undefined
  readonly server: ServerDocument | undefined
}

/** Something that is not well. */
export interface Finding {
  readonly key: string
  /** True if it is wrong now, false if somebody should look at it. */
  readonly isNow: boolean
  readonly text: string
  readonly link: FindingPage
}

const dayMs = 86_400_000

/** From which share on, and from how many operations on, refusals of the last hour are wrong now. */
const faultyShareMin = 0.05
const faultyMin = 10

/** Below how many operations a day a fall says nothing. */
const fallTotalMin = 100

/** Returns what is not well, what is wrong now first. */
export const findingsOf = (facts: HomeFacts): ReadonlyArray<Finding> =>
  [
    ...serverFindings(facts),
    ...alertFindings(facts),
    ...webhookFindings(facts),
    ...destinationFindings(facts),
    ...lakeFindings(facts),
    ...dayFindings(facts),
    ...causeFindings(facts),
    ...driftFindings(facts),
    ...importFindings(facts),
  ].toSorted((a, b) => Number(b.isNow) - Number(a.isNow))

/** Returns the verdict on all findings in a few words. */
export const verdictText = (findings: ReadonlyArray<Finding>): string => {
  const wrong = findings.filter(({ isNow }) => isNow).length
  if (findings.length === 0) return "All well"
  if (wrong > 0) return `${counted(wrong, "thing is", "things are")} wrong now`
  return `Nothing is broken, ${counted(findings.length, "thing", "things")} to look at`
}

const health = { page: "health" } as const

const serverFindings = ({ now, server, status }: HomeFacts): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  if (status?.committing === false) {
    found.push({
      key: "store",
      isNow: true,
      text: "The store cannot commit, so calls get the status 503. Check the disk or the database.",
      link: health,
    })
  }
  if (status !== undefined && status.queue.wait_ms > waitMsMax / 10) {
    found.push({
      key: "queue",
      isNow: true,
      text: `Operations wait ${duration(status.queue.wait_ms)} in the queue, which is close to empty in normal times.`,
      link: health,
    })
  }
  const days = server?.storage.days_left
  if (days != null && days < daysLow) {
    found.push({
      key: "disk",
      isNow: days < daysMin,
      text: `The disk is full in ${daysText(days)} at the present rate. Set a retention, or enlarge it.`,
      link: health,
    })
  }
  const unknown = (server?.refused_calls ?? []).filter(
    ({ last_at, reason }) => reason === "unknown_key" && Date.parse(last_at) > now - dayMs,
  )
  if (unknown.length > 0) {
    const calls = unknown.reduce((sum, one) => sum + one.calls, 0)
    found.push({
      key: "unknown keys",
      isNow: false,
      text: `${counted(calls, "call", "calls")} with a key that no workspace has, and that nobody recorded.`,
      link: { page: "errors", isOnlyNew: false },
    })
  }
  return found
}

/** New causes and silent names are among what changed since yesterday. The others are wrong as long as they last. */
const alertFindings = ({ alerts = [] }: HomeFacts): ReadonlyArray<Finding> =>
  alerts
    .filter(({ condition }) => condition === "error_rate" || condition === "lag")
    .map((alert) => ({ key: alert.alert_id, isNow: true, text: alert.summary, link: alertPage(alert) }))

const webhookFindings = ({ webhooks = [] }: HomeFacts): ReadonlyArray<Finding> =>
  webhooks
    .filter(({ enabled }) => enabled)
    .flatMap(({ blocked_by, name, url, waiting, webhook_id }): ReadonlyArray<Finding> => {
      const link = { page: "webhook", webhookId: webhook_id } as const
      const called = name === "" ? url : name
      if (blocked_by !== null) {
        const text = `The webhook ${called} is blocked: its receiver has refused an event ${counted(blocked_by.attempts, "time", "times")}, and later events wait for it.`
        return [{ key: webhook_id, isNow: true, text, link }]
      }
      if (waiting.events === 0) return []
      const text = `${counted(waiting.events, "event waits", "events wait")} for another attempt of the webhook ${called}.`
      return [{ key: webhook_id, isNow: false, text, link }]
    })

/** The most characters of an error that a sentence quotes. */
const quotedMax = 160

const quoted = (error: string): string => (error.length > quotedMax ? `${error.slice(0, quotedMax)}…` : error)

/** A webhook that fails is among the findings about webhooks, and the lake among those about the lake. */
const destinationFindings = ({ alerts = [], destinations = [] }: HomeFacts): ReadonlyArray<Finding> =>
  destinations.flatMap(
    ({ destination_id: id, enabled, kind, last_error: error, name }): ReadonlyArray<Finding> => {
      if (!enabled || error === null) return []
      if (kind === "kafka") {
        const text = `Kafka gets nothing: ${quoted(error)}`
        return [{ key: kind, isNow: true, text, link: { page: "destinations" } }]
      }
      if (kind !== "forward" || id === null || alerts.some(({ subject }) => subject === `forward:${id}`))
        return []
      const text = `The forward ${name} fails: ${quoted(error)}`
      return [{ key: id, isNow: true, text, link: { page: "forward", forwardId: id } }]
    },
  )

const lakeFindings = ({ lake }: HomeFacts): ReadonlyArray<Finding> =>
  lake?.failure == null
    ? []
    : [
        {
          key: "lake",
          isNow: true,
          text: `The lake cannot be written: ${lake.failure}`,
          link: { page: "lake" },
        },
      ]

const dayFindings = ({ alerts = [], day }: HomeFacts): ReadonlyArray<Finding> => {
  if (day === undefined) return []
  const { before, lastHour, now } = day
  const share = shareOf(lastHour)
  const usual = before === undefined || before.total === 0 ? shareOf(now) / 2 : shareOf(before)
  const isAlerted = alerts.some(({ condition }) => condition === "error_rate")
  if (!isAlerted && lastHour.faulty >= faultyMin && share > Math.max(faultyShareMin, 2 * usual)) {
    const text = `Of the ${counted(lastHour.total, "operation", "operations")} of the last hour, ${count(lastHour.faulty)} were rejected or applied in part (${percent(share)}).`
    return [{ key: "rate", isNow: true, text, link: { page: "errors", isOnlyNew: false } }]
  }
  if (before !== undefined && before.total >= fallTotalMin && now.total < before.total / 2) {
    const text = `${counted(now.total, "operation", "operations")} in 24 hours, after ${count(before.total)} in the 24 hours before.`
    return [{ key: "fall", isNow: false, text, link: { page: "live" } }]
  }
  return []
}

const shareOf = ({ faulty, total }: DayStats["now"]): number => (total === 0 ? 0 : faulty / total)

const causeFindings = ({ causes = [] }: HomeFacts): ReadonlyArray<Finding> => {
  const news = causes.filter((cause) => cause.new)
  if (news.length === 0) return []
  const operations = news.reduce((sum, cause) => sum + cause.count, 0)
  const text = `${counted(news.length, "new cause", "new causes")} of refusals since yesterday, in ${counted(operations, "operation", "operations")}.`
  return [{ key: "causes", isNow: false, text, link: { page: "errors", isOnlyNew: true } }]
}

const broken: ReadonlySet<DriftDocument["change"]> = new Set([
  "widened_type",
  "presence_fell",
  "similar_name",
])

const driftFindings = ({ drift = [] }: HomeFacts): ReadonlyArray<Finding> => {
  const changed = drift.filter(({ change }) => broken.has(change))
  const silent = drift.filter(({ change }) => change === "silent")
  const found: Array<Finding> = []
  if (changed.length > 0) {
    const text = `Events changed in ${counted(changed.length, "way", "ways")} that may break readers: ${namesOf(changed)}.`
    found.push({ key: "changed", isNow: false, text, link: { page: "events" } })
  }
  if (silent.length > 0) {
    const text = `${counted(silent.length, "name", "names")} fell silent: ${namesOf(silent)}.`
    found.push({ key: "silent", isNow: false, text, link: { page: "events" } })
  }
  return found
}

/** The most names that a sentence lists. */
const namesMax = 3

const namesOf = (items: ReadonlyArray<DriftDocument>): string => {
  const names = [
    ...new Set(items.map(({ kind, name }) => (name === "attributes" ? `attributes (${kind})` : name))),
  ]
  const others = names.length - namesMax
  return `${names.slice(0, namesMax).join(", ")}${others > 0 ? ` and ${count(others)} more` : ""}`
}

const importFindings = ({ imports = [], now }: HomeFacts): ReadonlyArray<Finding> => {
  const ended = imports.filter(({ ended_at }) => ended_at !== null && Date.parse(ended_at) > now - dayMs)
  const failed = ended.filter(({ failed: rows, state }) => state === "failed" || rows > 0)
  if (failed.length === 0) return []
  const text = `${counted(failed.length, "import", "imports")} of the last 24 hours failed, or had rows that failed.`
  return [{ key: "imports", isNow: false, text, link: { page: "imports" } }]
}
