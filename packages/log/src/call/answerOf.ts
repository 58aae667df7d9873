import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { decisionTexts } from "@inlethq/core/log/operationTexts"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { ClauseName } from "@inlethq/core/log/ClauseName"
import type { Json } from "@inlethq/core/values/Json"
import { accepted, refusalBody } from "@inlethq/wire/pipelines/answers"
import { bodyTexts } from "@inlethq/wire/texts/bodyTexts"
import { pathTexts } from "@inlethq/wire/texts/pathTexts"
import { reasonTexts } from "@inlethq/wire/texts/reasonTexts"
import { messageOf } from "@inlethq/wire/texts/sentences"
import { requestTexts } from "@inlethq/wire/texts/wireTexts"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import * as TrackV1 from "@inlethq/wire/track-v1/answers"
import * as TrackV2 from "@inlethq/wire/track-v2/answers"

/** What a client was answered. */
export interface CallAnswer {
  readonly status: number
  readonly body: Json
}

/**
 * Returns what the sender of a rejected call was answered, or null for any other operation and for one that did not arrive
 * over HTTP. The answer to an item of a batch is that to the item alone.
 */
export const answerOf = ({ entry }: ActivityRecord, brand: WrittenBrand): CallAnswer | null => {
  if (entry.outcome !== "rejected") return null
  const faults = faultsOf(entry)
  switch (entry.source) {
    case "track-v1":
      return trackV1Answer(entry, faults, brand)
    case "track-v2":
      return isDecided(entry)
        ? { status: 200, body: {} }
        : { status: statusOf(faults), body: listed(TrackV2.errorsBody(brand, faults).errors) }
    case "pipelines":
      return pipelinesAnswer(entry, faults, brand)
    case "management":
    case "csv":
    case "system":
      return null
  }
}

const listed = (
  errors: ReadonlyArray<{ readonly reason: string; readonly field: string; readonly message: string }>,
) => ({
  errors: errors.map(({ field, message, reason }) => ({ reason, field, message })),
})

/** Returns the faults of a rejected call, which its entry keeps as facts. */
const faultsOf = ({ reasons }: ActivityEntry): ReadonlyArray<Fault> =>
  reasons.flatMap((reason) => {
    const kind = reasonTexts.get(reason.code)?.reason ?? null
    return kind === null ? [] : [{ ...reason, reason: kind }]
  })

/** A call that only deciding refused was accepted by then. */
const isDecided = ({ rule }: ActivityEntry): boolean => rule === full

const full: ClauseName = "contract §5 full workspaces"

const statuses: ReadonlyMap<string, number> = new Map([
  [requestTexts.tooLarge.code, 413],
  [bodyTexts.timedOut.code, 408],
  [bodyTexts.unknownEncoding.code, 415],
  [bodyTexts.busy.code, 503],
  [pathTexts.unknown.code, 404],
  [pathTexts.incomplete.code, 404],
  [pathTexts.unescaped.code, 404],
  [pathTexts.methodNotAllowed.code, 405],
])

const statusOf = ([first]: ReadonlyArray<Fault>): number => statuses.get(first?.code ?? "") ?? 400

const trackV1Answer = (
  entry: ActivityEntry,
  faults: ReadonlyArray<Fault>,
  brand: WrittenBrand,
): CallAnswer => {
  const [first] = faults
  if (first?.code === decisionTexts.segmentNotFound.code)
    return { status: 404, body: TrackV1.segmentNotFound }
  if (entry.kind === "form_submission" && entry.rule === "track-api §4.3 rule 3") {
    return { status: 400, body: TrackV1.errorsBody(brand, [TrackV1.nobodyResponded]) }
  }
  if (isDecided(entry)) return { status: 200, body: {} }
  const body = listsErrors(entry) ? TrackV1.errorsBody(brand, faults) : TrackV1.errorBody(brand, faults)
  return { status: statusOf(faults), body }
}

/** Some calls of the Track API v1 are answered with a list of errors (contract §4). */
const listsErrors = ({ kind }: ActivityEntry): boolean =>
  kind === "identify" || kind === "add_device" || kind === "delete_device" || kind === "form_submission"

/** What the Pipelines API calls the faults of a path, by their codes. */
const pathCodes: ReadonlyMap<string, string> = new Map([
  [pathTexts.malformed.code, "malformed"],
  [pathTexts.unknown.code, "not_found"],
  [pathTexts.incomplete.code, "not_found"],
  [pathTexts.unescaped.code, "not_found"],
  [pathTexts.methodNotAllowed.code, "method_not_allowed"],
])

/** In its default mode, the Pipelines API accepts every call that has a path. */
const pipelinesAnswer = (
  { call }: ActivityEntry,
  faults: ReadonlyArray<Fault>,
  brand: WrittenBrand,
): CallAnswer => {
  const [first] = faults
  const status = statusOf(faults)
  const pathCode = pathCodes.get(first?.code ?? "")
  const isRefused = call?.strict === true || status === 408 || pathCode !== undefined
  if (first === undefined || !isRefused) return { status: 200, body: accepted }
  const refusal = { code: pathCode ?? first.reason, message: messageOf(brand, first) }
  return { status: status === 413 ? 400 : status, body: refusalBody(refusal) }
}
