import { Effect, Result } from "effect"
import {
  errorBody,
  errorsBody,
  nobodyResponded as noRespondent,
  segmentNotFound,
} from "@inlethq/wire/track-v1/answers"
import { decodeMetric, decodePushMetric } from "@inlethq/wire/track-v1/deliveries"
import { decodeTrackV1 } from "@inlethq/wire/track-v1/decodeTrackV1"
import { decodeAddDevice, decodeDeleteDevice } from "@inlethq/wire/track-v1/devices"
import { decodeAnonymousEvent, decodeEvent } from "@inlethq/wire/track-v1/events"
import { decodeForm } from "@inlethq/wire/track-v1/forms"
import {
  decodeDelete,
  decodeIdentify,
  decodeMerge,
  decodeSuppress,
  decodeUnsuppress,
} from "@inlethq/wire/track-v1/people"
import { decodeMembership } from "@inlethq/wire/track-v1/segments"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { decisionTexts } from "@inlethq/core/log/operationTexts"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { segmentBodyBytesMax, type Limits } from "@inlethq/core/workspace/Limits"
import { whereAdmitted } from "./whereAdmitted.ts"
import { accepted, jsonInBrand, type Answer } from "./Answer.ts"
import type { Call, Endpoint, IntendedKind } from "./Call.ts"
import { type Answering } from "./commit.ts"
import { forward } from "./forward.ts"
import { authenticated, trackEndpoint, type TrackOperation } from "./track.ts"
import { trackV1Errors } from "./trackAnswers.ts"

const requestBytesMax = (limits: Limits) => limits.requestBytesMax

type Refuse = TrackOperation["refuse"]

const singleError: Refuse = (status, faults) => jsonInBrand(status, (brand) => errorBody(brand, faults))
const errorList: Refuse = (status, faults) => jsonInBrand(status, (brand) => errorsBody(brand, faults))

type Decode = (receipt: Receipt, call: Call, body: unknown) => Result.Result<Command, RejectOperation>

interface OperationOptions {
  readonly bodyBytesMax?: TrackOperation["bodyBytesMax"]
  readonly answer?: Answering
}

const operation = (
  kind: IntendedKind,
  refuse: Refuse,
  decode: Decode,
  { answer = accepted, bodyBytesMax = requestBytesMax }: OperationOptions = {},
): Endpoint =>
  trackEndpoint({
    ...trackV1Errors,
    source: "track-v1",
    kind,
    bodyBytesMax,
    refuse,
    decode: (receipt, call, body) =>
      Result.match(
        decodeTrackV1(receipt, kind, body, (rest) => decode(receipt, call, rest)),
        {
          onSuccess: (command) => ({ commands: [command], answer }),
          onFailure: (refusal) => ({ commands: [refusal], answer: refuse(400, refusal.faults) }),
        },
      ),
  })

/** Options of operations that need no body. If a client sends a body anyway, the body is ignored. */
const ignoresBody = { bodyBytesMax: null }

const first = ({ parameters }: Call): string => parameters[0] ?? ""
const second = ({ parameters }: Call): string => parameters[1] ?? ""

export const identify = operation("identify", errorList, (receipt, call, body) =>
  decodeIdentify(receipt, first(call), body),
)

export const remove = operation(
  "delete",
  singleError,
  (receipt, call) => decodeDelete(receipt, first(call)),
  ignoresBody,
)

export const suppress = operation(
  "suppress",
  singleError,
  (receipt, call) => decodeSuppress(receipt, first(call)),
  ignoresBody,
)

export const unsuppress = operation(
  "unsuppress",
  singleError,
  (receipt, call) => decodeUnsuppress(receipt, first(call)),
  ignoresBody,
)

export const merge = operation("merge", singleError, (receipt, _call, body) => decodeMerge(receipt, body))

export const event = operation("event", singleError, (receipt, call, body) =>
  decodeEvent(receipt, first(call), body),
)

export const anonymousEvent = operation("anonymous_event", singleError, (receipt, _call, body) =>
  decodeAnonymousEvent(receipt, body),
)

export const addDevice = operation("add_device", errorList, (receipt, call, body) =>
  decodeAddDevice(receipt, first(call), body),
)

export const deleteDevice = operation(
  "delete_device",
  errorList,
  (receipt, call) => decodeDeleteDevice(receipt, first(call), second(call)),
  ignoresBody,
)

export const metric = operation("delivery_metric", singleError, (receipt, _call, body) =>
  decodeMetric(receipt, body),
)

export const pushMetric = operation("delivery_metric", singleError, (receipt, _call, body) =>
  decodePushMetric(receipt, body),
)

const submitted: Answer = { status: 204, body: null, contentType: "" }
const nobodyResponded = errorList(400, [noRespondent])

/** Returns whether a submission was rejected because it names no respondent, and not because the workspace is full. */
const namesNobody = ({ outcome, rule }: ActivityEntry): boolean =>
  outcome === "rejected" && rule !== "contract §5 full workspaces"

/**
 * Handles POST `/forms/{form_id}/submit`. The stored form decides which field identifies the respondent, so a
 * submission without a respondent is rejected only when it is committed (contract §12).
 */
export const form = operation(
  "form_submission",
  errorList,
  (receipt, call, body) => decodeForm(receipt, first(call), body),
  { answer: ([entry]) => (entry !== undefined && namesNobody(entry) ? nobodyResponded : submitted) },
)

const noSegment: Answer = { status: 404, body: segmentNotFound, contentType: "text/plain; charset=utf-8" }

/** The rule of the contract for which calls about segments with rules are refused. */
const byRule = "contract §12 segments by rule"

const decidedByRule = singleError(400, [decisionTexts.segmentByRule("segment_id")])

const membership = (action: "add" | "remove"): Endpoint =>
  operation(
    action === "add" ? "segment_add" : "segment_remove",
    singleError,
    (receipt, call, body) => decodeMembership(receipt, action, first(call), call.query, body),
    {
      bodyBytesMax: segmentBodyBytesMax,
      answer: ([entry]) => {
        if (entry?.outcome !== "rejected") return accepted
        return entry.rule === byRule ? decidedByRule : noSegment
      },
    },
  )

export const addToSegment = membership("add")

export const removeFromSegment = membership("remove")

/**
 * Handles GET `/auth`. Responds with 200 if the credentials are valid. The call is forwarded to the workspace's region.
 */
export const probe = authenticated(trackV1Errors, (call, workspace) =>
  whereAdmitted(
    workspace,
    { ...trackV1Errors, send: (peer) => forward(peer, call, null) },
    Effect.succeed(accepted),
  ),
)
