import { Result } from "effect"
import { nearest } from "./RuleFault.ts"
import type { Read, RulePart } from "./RulePart.ts"
import { contextKeys as known } from "./contextKeys.ts"
import { contextRoot } from "./fields.ts"
import { ruleTexts } from "./ruleTexts.ts"

/** What is often written for these keys. */
const otherNames: Readonly<Record<string, string>> = {
  user_agent: "userAgent",
  user_agent_data: "userAgentData",
  group_id: "groupId",
  language: "locale",
  lang: "locale",
  time_zone: "timezone",
  ip_address: "ip",
  application: "app",
  utm: "campaign",
  url: "page.url",
  path: "page.path",
  title: "page.title",
  utm_campaign: "campaign.name",
  utm_source: "campaign.source",
  utm_medium: "campaign.medium",
  utm_term: "campaign.term",
  utm_content: "campaign.content",
}

const otherNamesInside: Readonly<Record<string, string>> = {
  referer: "referrer",
  query: "search",
  href: "url",
  uri: "url",
  campaign: "name",
  utm_campaign: "name",
  utm_source: "source",
  utm_medium: "medium",
  utm_term: "term",
  utm_content: "content",
  advertising_id: "advertisingId",
  ad_tracking_enabled: "adTrackingEnabled",
}

/** Refuses a field of a condition on an event that is in the context but is none of its keys by a slip. Accepts any other. */
export const checkContextField = (part: RulePart, field: string): Read<void> => {
  if (!field.startsWith(contextRoot)) return Result.void
  const [first = "", second, ...others] = field.slice(contextRoot.length).split(".")
  if (first === "" || second === "") return part.fault(ruleTexts.notContextField)
  const rest = second === undefined ? [] : [second, ...others]
  const root = misspelled(first, Object.keys(known), otherNames)
  if (root !== undefined) return slip(part, field, [root, ...rest])
  const inside = second === undefined ? undefined : misspelled(second, knownIn(first), otherNamesInside)
  return inside === undefined ? Result.void : slip(part, field, [first, inside, ...others])
}

const slip = (part: RulePart, field: string, meant: ReadonlyArray<string>): Read<never> =>
  part.fault(ruleTexts.unknown("field", field, [], contextRoot + meant.join(".")))

const knownIn = (key: string): ReadonlyArray<string> => (Object.hasOwn(known, key) ? (known[key] ?? []) : [])

/**
 * Returns the key that is meant by one that differs in case, in `_` and `-`, or in letters but not in length, or undefined. Others
 * that are near, such as `pages`, are keys of somebody's own.
 */
const misspelled = (
  key: string,
  keys: ReadonlyArray<string>,
  elsewhere: Readonly<Record<string, string>>,
): string | undefined => {
  if (keys.includes(key)) return undefined
  const plain = plainOf(key)
  const same = keys.find((candidate) => plainOf(candidate) === plain)
  if (same !== undefined) return same
  const written = key.toLowerCase()
  const named = Object.hasOwn(elsewhere, written) ? elsewhere[written] : undefined
  if (named !== undefined && (named.includes(".") || keys.includes(named))) return named
  const near = plain.length < shortestCompared ? undefined : nearest(key, keys)
  return near?.length === key.length ? near : undefined
}

const plainOf = (key: string): string => key.toLowerCase().replaceAll(/[\s_-]/g, "")

/** Shorter keys differ from others by a letter too often. */
const shortestCompared = 4
