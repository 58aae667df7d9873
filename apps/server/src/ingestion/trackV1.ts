import { Effect, Option, Result } from "effect"
import { errorBody, errorsBody, unauthorizedBody } from "@inlet/api/track-v1/answers"
import { decodeAnonymousEvent, decodeEvent } from "@inlet/api/track-v1/events"
import { decodeDelete, decodeIdentify } from "@inlet/api/track-v1/people"
import type { Receipt } from "@inlet/api/wire/Receipt"
import type { Command, RejectOperation } from "@inlet/core/Command"
import type { Limits } from "@inlet/core/Limits"
import { Settings } from "../Settings.ts"
import { accepted, json } from "./Answer.ts"
import type { Call, Endpoint, IntendedKind } from "./Call.ts"
import { unrecorded } from "./commit.ts"
import { trackV1 } from "./Protocol.ts"
import { authenticated, trackEndpoint, type TrackOperation } from "./track.ts"

const shared = {
  unauthorized: json(401, unauthorizedBody),
  unavailable: trackV1.failure(503, "the service cannot store this now; try again"),
}

const requestBytesMax = (limits: Limits) => limits.requestBytesMax

type Refuse = TrackOperation["refuse"]

const singleError: Refuse = (status, faults) => json(status, errorBody(faults))
const errorList: Refuse = (status, faults) => json(status, errorsBody(faults))

type Decode = (receipt: Receipt, call: Call, body: unknown) => Result.Result<Command, RejectOperation>

const operation = (
  kind: IntendedKind,
  refuse: Refuse,
  decode: Decode,
  bodyBytesMax: TrackOperation["bodyBytesMax"] = requestBytesMax,
): Endpoint =>
  trackEndpoint({
    ...shared,
    source: "track-v1",
    kind,
    bodyBytesMax,
    refuse,
    decode: (receipt, call, body) =>
      Result.match(decode(receipt, call, body), {
        onSuccess: (command) => ({ commands: [command], answer: accepted }),
        onFailure: (refusal) => ({ commands: [refusal], answer: refuse(400, refusal.faults) }),
      }),
  })

const identifierOf = (call: Call): string => call.parameters[0] ?? ""

/** PUT `/customers/{identifier}`. */
export const identify = operation("identify", errorList, (receipt, call, body) =>
  decodeIdentify(receipt, identifierOf(call), body),
)

/** DELETE `/customers/{identifier}`; a body is not looked at. */
export const remove = operation(
  "delete",
  singleError,
  (receipt, call) => decodeDelete(receipt, identifierOf(call)),
  null,
)

/** POST or PUT `/customers/{identifier}/events`. */
export const event = operation("event", singleError, (receipt, call, body) =>
  decodeEvent(receipt, identifierOf(call), body),
)

/** POST `/events`. */
export const anonymousEvent = operation("anonymous_event", singleError, (receipt, _call, body) =>
  decodeAnonymousEvent(receipt, body),
)

/** GET `/accounts/region`: which region and workspace the credentials belong to (track-api §4.3). */
export const region = authenticated(shared, (call, workspace) =>
  Effect.map(Settings, ({ publicUrl }) =>
    unrecorded(
      json(200, {
        region: workspace.region,
        environment_id: workspace.id,
        url: Option.match(publicUrl, {
          onNone: () => `http://${call.request.headers.host ?? "localhost"}`,
          onSome: (url) => url.href.replace(/\/$/, ""),
        }),
      }),
    ),
  ),
)

/** GET `/auth`: whether the credentials are valid. */
export const probe = authenticated(shared, () => Effect.succeed(unrecorded(accepted)))
