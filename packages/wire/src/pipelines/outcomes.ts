import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { operationIdText } from "@inlethq/core/values/Identifier"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"
import { messageOf, sentenceOf } from "../texts/sentences.ts"
import type { WrittenBrand } from "../texts/WrittenBrand.ts"

/** The outcome of one call, in a response (contract §13 outcomes). */
interface ListedOutcome {
  /** The position of the call in its batch. Null for a single call, and for a batch that is refused as a whole. */
  readonly index: number | null
  /** Null if the request has an unknown write key, because such a request has no entry in the activity log. */
  readonly operation_id: string | null
  readonly outcome: Outcome
  /** The code of the first reason. */
  readonly code: string | null
  readonly reason: string | null
  readonly rule: string | null
}

/**
 * Returns true if the query of a request contains `outcomes=true`, which asks for the outcomes of the calls. `query` is
 * the raw query string without its question mark.
 */
export const asksForOutcomes = (query: string): boolean =>
  query !== "" && new URLSearchParams(query).get("outcomes") === "true"

/** Returns the outcomes of a request from the log entries of its calls. */
export const listOutcomes = (
  entries: ReadonlyArray<ActivityEntry>,
  brand: WrittenBrand,
): ReadonlyArray<ListedOutcome> =>
  entries.map(({ batchIndex, outcome, reasons, rule, sequence, workspace }, place) => ({
    index: batchIndex === null ? null : place,
    operation_id: operationIdText(workspace, sequence, batchIndex),
    outcome,
    code: reasons[0]?.code ?? null,
    reason: sentenceOf(brand, reasons),
    rule,
  }))

/** The outcomes in the answer to a request without a known write key. The calls of such a request are not recorded. */
export const unknownKeyOutcomes: ReadonlyArray<ListedOutcome> = [
  {
    index: null,
    operation_id: null,
    outcome: "rejected",
    code: pipelinesTexts.unknownKey("").code,
    reason: messageOf("svc", pipelinesTexts.unknownKey("")),
    rule: "contract §3 unauthorized calls",
  },
]
