import { InvalidRequest } from "@inlethq/contract/access/Problem"
import type { ForwardPatch, NewForward } from "@inlethq/contract/webhooks/Forwards"
import { everyForward, type Forward, type ForwardShape } from "@inlethq/core/forward/Forward"
import { parseFilter } from "@inlethq/log/filter/parseFilter"
import { forwardTexts } from "@inlethq/outbound/forwards/forwardTexts"
import { parseTargetUrl } from "@inlethq/outbound/sending/targetUrl"
import { Effect, Result } from "effect"
import { keptFilter } from "../webhooks/webhookSettings.ts"

/** The settings of a forward that operators choose, apart from its key. */
type ChosenSettings = Pick<Forward, "name" | "to" | "url" | "filter" | "as" | "retry" | "enabled">

const defaults = { filter: null, as: "decided", retry: "quick", enabled: true } as const

/** Checks the settings of a new or changed forward. Fails with a 400 that names the wrong field. */
export const checkedForward = Effect.fnUntraced(function* (
  given: NewForward | ForwardPatch,
  before: Forward | null,
) {
  const to = before?.to ?? ("to" in given ? given.to : "segment")
  const url = yield* checkedUrl(given.url ?? before?.url ?? "")
  const basis = before ?? defaults
  const settings: ChosenSettings = {
    name: given.name ?? before?.name ?? "",
    to,
    url,
    filter: given.filter === undefined ? basis.filter : given.filter,
    as: given.as ?? basis.as,
    retry: given.retry ?? basis.retry,
    enabled: given.enabled ?? basis.enabled,
  }
  const problem = problemOf(settings, given.key ?? null)
  if (problem !== null) return yield* new InvalidRequest({ detail: problem })
  return { ...settings, filter: keptFilter(settings.filter) }
})

const checkedUrl = (text: string): Effect.Effect<string, InvalidRequest> => {
  const url = parseTargetUrl(text)
  if (Result.isFailure(url)) return Effect.fail(new InvalidRequest({ detail: url.failure }))
  const { hash, href, pathname, search } = url.success
  if (search !== "" || hash !== "")
    return Effect.fail(new InvalidRequest({ detail: forwardTexts.queryInUrl() }))
  const [, end] = /\/(v1|v2|batch)\/*$/.exec(pathname) ?? []
  return end === undefined
    ? Effect.succeed(href.replace(/\/+$/, ""))
    : Effect.fail(new InvalidRequest({ detail: forwardTexts.versionInUrl({ end }) }))
}

/** Returns what is wrong with the settings, as a text, or null if they are valid. */
const problemOf = ({ filter, name, to }: ChosenSettings, key: string | null): string | null => {
  if (name === everyForward) return forwardTexts.nameReserved({ name })
  const parsed = parseFilter(filter ?? "")
  if (Result.isFailure(parsed)) return forwardTexts.wrongFilter({ problem: parsed.failure.message })
  return key === null ? null : problemOfKey(to, key)
}

const problemOfKey = (to: ForwardShape, key: string): string | null => {
  const hasColon = /^[^:]+:.+$/s.test(key)
  if (to === "track-v2") return hasColon ? null : forwardTexts.trackKey()
  return key.includes(":") ? forwardTexts.segmentKey() : null
}
