import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { boundsOf, periodIn, periodKey, type Period, type PeriodSearch } from "../../shared/time/period.ts"
import { usePages, type Pages } from "../../shared/lists/usePages.ts"
import { count } from "../../shared/values/figures.ts"
import { clientText, keyText } from "../../shared/values/senderText.ts"
import type { QueryFields } from "../../shared/query/rowsLanguage.ts"
import { filterValue } from "../../shared/values/filterValue.ts"

const dayMs = 86_400_000

/** The most causes in one answer. The contract, which says so, would load its schemas with it. */
const causesMax = 500

/** The milliseconds between two reads of the causes. */
const refreshMs = 10_000

/** The query parameters of the URL that lists causes. */
export interface ErrorsSearch extends PeriodSearch {
  readonly only?: string
}

/** Returns the period in the query parameters, the last 24 hours by default. */
export const errorsPeriod = (search: PeriodSearch): Period => periodIn(search) ?? { last: "24h" }

/** Reads the causes of a period, most frequent first. A cause is new if its first operation came within the last day. */
export const useCauses = (w: string, search: ErrorsSearch): Pages<CauseDocument> => {
  const period = errorsPeriod(search)
  const isOnlyNew = search.only === "new"
  return usePages(
    [w, "causes", periodKey(period), isOnlyNew],
    async (_, signal) => {
      const newSince = new Date(Date.now() - dayMs).toISOString()
      const { items } = await api.types.causes(w, { ...boundsOf(period), new_since: newSince }, signal)
      return {
        items: isOnlyNew ? items.filter((cause) => cause.new) : items,
        next: null,
        ...(items.length < causesMax
          ? {}
          : { leftOut: `Only the ${count(causesMax)} most frequent are listed.` }),
      }
    },
    refreshMs,
  )
}

/** What a query compares of a cause. */
export const causeFields: QueryFields<CauseDocument> = {
  fields: {
    outcome: { hint: "what was decided", texts: ({ outcome }) => [outcome] },
    kind: { hint: "kind of operation", texts: ({ kind }) => (kind === null ? [] : [kind]) },
    reason: { hint: "code of the reason", texts: ({ reasons }) => reasons.map(({ code }) => code) },
    field: {
      hint: "field at fault",
      texts: ({ reasons }) => reasons.map(({ field }) => field).filter((field) => field !== ""),
    },
    rule: { hint: "clause that decided", texts: ({ rule }) => (rule === null ? [] : [rule]) },
    key: { hint: "name of the key", texts: ({ sender }) => [keyText(sender)].filter((text) => text !== "") },
    client: {
      hint: "client and version",
      texts: ({ sender }) => (sender?.user_agent == null ? [] : [sender.user_agent]),
    },
    path: { hint: "path of the API", texts: ({ sender }) => (sender?.route == null ? [] : [sender.route]) },
    is: { hint: "new, if it came first within a day", texts: (cause) => (cause.new ? ["new"] : []) },
  },
  words: (cause) => [causeText(cause), fieldText(cause), keyText(cause.sender), clientText(cause.sender)],
  weight: ({ count: number }) => number,
  examples: [
    ["is:new", "new since yesterday"],
    ["outcome:rejected", "answered with an error"],
  ],
}

/** Returns a short text that stands for a cause in an address. It is the same on every visit. */
export const causeId = ({ cause }: Pick<CauseDocument, "cause">): string => {
  // FNV-1a with 64 bits: a few hundred causes are told apart, and nothing depends on more.
  let hash = 0xcbf29ce484222325n
  for (const char of cause) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n)
  }
  return hash.toString(36)
}

/** Returns the filter that finds the operations of a cause on the page Live. */
export const filterOfCause = ({ filter, sender }: CauseDocument): string =>
  [
    filter,
    ...(sender?.key == null ? [] : [`key:${filterValue(sender.key.key_id)}`]),
    ...(sender?.user_agent == null ? [] : [`client:${filterValue(sender.user_agent)}`]),
  ].join(" ")

/** Returns whether an operation has exactly this cause, which a filter cannot say. */
export const isOfCause = (entry: ActivityDocument, cause: CauseDocument): boolean =>
  entry.outcome === cause.outcome &&
  entry.kind === cause.kind &&
  entry.rule === cause.rule &&
  isSameSender(entry.sender, cause.sender) &&
  cause.reasons.every((reason) => entry.reasons.some((one) => isReason(one, reason))) &&
  entry.reasons.every((one) => cause.reasons.some((reason) => isReason(one, reason)))

type Reason = CauseDocument["reasons"][number]

/** In the field of a cause, `*` stands for a key that is data, and `[]` for a place in a list. */
const isReason = (of: Reason, reason: Reason): boolean => {
  const [segments, pattern] = [of.field.split("."), reason.field.split(".")]
  return (
    of.code === reason.code &&
    segments.length === pattern.length &&
    pattern.every((part, index) => part === "*" || part === "[]" || part === segments[index])
  )
}

const isSameSender = (one: CauseDocument["sender"], other: CauseDocument["sender"]): boolean =>
  one?.key?.key_id === other?.key?.key_id &&
  one?.token?.token_id === other?.token?.token_id &&
  one?.user_agent === other?.user_agent &&
  one?.route === other?.route

/** Returns why operations were not applied completely, as a sentence. */
export const causeText = ({ reason }: Pick<CauseDocument, "reason">): string => reason ?? "without a reason"

/** Returns the fields at fault, without those of the same name. */
export const fieldText = ({ reasons }: Pick<CauseDocument, "reasons">): string =>
  [...new Set(reasons.map(({ field }) => field).filter((field) => field !== ""))].join(", ")

/** Returns the number of operations of the period. A period that cuts through an hour is counted by whole hours. */
export const countText = ({ count: number, exact }: Pick<CauseDocument, "count" | "exact">): string =>
  `${exact ? "" : "about "}${count(number)}`
