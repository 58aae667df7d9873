import type { NewWebhook, WebhookPatch } from "@inlethq/contract/webhooks/Webhooks"
import { driftChanges } from "@inlethq/contract/types/EventTypes"
import { filterLengthMax, parseFilter } from "@inlethq/log/filter/parseFilter"
import { printFilter } from "@inlethq/log/filter/printFilter"
import { withCodes } from "@inlethq/log/filter/withCodes"
import { InvalidRequest, Unprocessable } from "@inlethq/contract/access/Problem"
import { eventNames } from "@inlethq/log/reporting/ReportingEvent"
import { AlertCondition } from "@inlethq/core/alert/Alert"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Result } from "effect"
import { Sender } from "@inlethq/outbound/sending/Sender"
import { parseTargetUrl } from "@inlethq/outbound/sending/targetUrl"
import { webhookTexts } from "@inlethq/outbound/webhooks/webhookTexts"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The webhook settings that operators can choose. */
type ChosenSettings = Pick<
  Webhook,
  | "name"
  | "url"
  | "kind"
  | "events"
  | "filter"
  | "ordering"
  | "retry"
  | "firstOnly"
  | "bodyContent"
  | "enabled"
>

const defaults: Omit<ChosenSettings, "name" | "url" | "kind"> = {
  events: ["*"],
  filter: null,
  ordering: "strict",
  retry: "hosted",
  firstOnly: false,
  bodyContent: false,
  enabled: true,
}

/** The kinds of webhooks that choose their events by name. */
type NamingKind = Exclude<Webhook["kind"], "activity">

const namesOf: Readonly<Record<NamingKind, ReadonlySet<string>>> = {
  alerts: new Set<string>(AlertCondition.literals),
  types: new Set<string>(driftChanges),
  reporting: eventNames,
}

/** Checks the settings of a new or changed webhook. Fails with a 400 that names the wrong field. */
export const checkedSettings = Effect.fnUntraced(function* (
  given: NewWebhook | WebhookPatch,
  before: Webhook | null,
) {
  const url = yield* checkedUrl(given.url ?? before?.url ?? "")
  const kind = before?.kind ?? ("kind" in given ? given.kind : undefined) ?? "reporting"
  const basis = before ?? { ...defaults, name: url.host }
  const settings: ChosenSettings = {
    name: given.name ?? basis.name,
    url: url.href,
    kind,
    events: given.events ?? basis.events,
    filter: given.filter === undefined ? basis.filter : given.filter,
    ordering: given.ordering ?? basis.ordering,
    retry: given.retry ?? basis.retry,
    firstOnly: given.first_only ?? basis.firstOnly,
    bodyContent: given.body_content ?? basis.bodyContent,
    enabled: given.enabled ?? basis.enabled,
  }
  const problem = problemOf(settings)
  if (problem !== null) return yield* new InvalidRequest({ detail: problem })
  return { ...settings, filter: keptFilter(settings.filter) }
})

/** Returns the filter of a webhook or forward as it is kept: with codes instead of words of sentences, otherwise as it was given. */
export const keptFilter = (filter: string | null): string | null => {
  const parsed = parseFilter(filter ?? "")
  if (Result.isFailure(parsed)) return filter
  const kept = withCodes(parsed.success)
  const text = printFilter(kept)
  return text === printFilter(parsed.success) || text.length > filterLengthMax ? filter : text
}

/** Fails with a 422 if the URL's host name does not resolve, or resolves to an address that webhooks must not reach. */
export const expectReachable = Effect.fnUntraced(function* (url: string) {
  const refusal = yield* Sender.use((sender) => sender.refusalOf(new URL(url)))
  if (refusal !== null) return yield* new Unprocessable({ detail: refusal })
})

const checkedUrl = (text: string): Effect.Effect<URL, InvalidRequest> => {
  const url = parseTargetUrl(text)
  return Result.isSuccess(url)
    ? Effect.succeed(url.success)
    : Effect.fail(new InvalidRequest({ detail: url.failure }))
}

/** Returns what is wrong with the settings, as a text, or null if they are valid. */
const problemOf = ({ events, filter, kind }: ChosenSettings): string | null => {
  const isAll = events.length === 1 && events[0] === "*"
  if (kind === "activity") {
    const parsed = parseFilter(filter ?? "")
    if (Result.isFailure(parsed)) return problemTexts.wrongFilter({ problem: parsed.failure.message })
    return isAll ? null : webhookTexts.eventsOfActivity()
  }
  if (filter !== null) return webhookTexts.filterOfReporting()
  const unknown = isAll ? undefined : events.find((event) => !namesOf[kind].has(event))
  return unknown === undefined ? null : unknownText(kind, JSON.stringify(unknown))
}

const unknownText = (kind: NamingKind, event: string): string => {
  switch (kind) {
    case "alerts":
      return webhookTexts.unknownCondition({ event })
    case "types":
      return webhookTexts.unknownChange({ event })
    case "reporting":
      return webhookTexts.unknownEvent({ event })
  }
}
