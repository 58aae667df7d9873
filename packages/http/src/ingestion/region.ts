import { refusedBody } from "@inlethq/wire/pipelines/answers"
import { unauthorizedRefusal } from "@inlethq/wire/pipelines/RequestContext"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option } from "effect"
import { HttpSettings } from "../HttpSettings.ts"
import { json, jsonInBrand } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { withRetryAfter } from "./commit.ts"
import { publicAddressOf } from "./browserSettings.ts"
import { ingestionTexts } from "./ingestionTexts.ts"
import { workspaceByHeader } from "./pipelines.ts"
import { pipelines } from "./Protocol.ts"
import { authenticated } from "./track.ts"
import { trackV1Errors } from "./trackAnswers.ts"

/**
 * GET `/accounts/region`: returns the region of the workspace, and the address of that region's node (track-api §4.3).
 * The nodes of both regions handle this call for any workspace.
 */
export const region: Endpoint = authenticated(trackV1Errors, (call, workspace) =>
  regionAnswer(call, workspace),
)

/**
 * GET `/v1/accounts/region`: the region lookup with a write key in the `Authorization` header, so that a sender can find
 * out to which workspace a key writes (contract §2 *Pipelines paths*).
 */
export const pipelinesRegion: Endpoint = (call) =>
  Effect.matchEffect(workspaceByHeader(call.request), {
    onFailure: () => Effect.succeed(withRetryAfter(unavailable)),
    onSuccess: (byHeader) =>
      Option.match(Option.flatten(byHeader), {
        onNone: () => Effect.succeed(unauthorized),
        onSome: (workspace) => regionAnswer(call, workspace),
      }),
  })

const unavailable = pipelines.failure(503, ingestionTexts.lookupUnavailable())
const unauthorized = jsonInBrand(401, (brand) => refusedBody(brand, unauthorizedRefusal))

const regionAnswer = (call: Call, workspace: Workspace) =>
  Effect.gen(function* () {
    const { peerUrl, region } = yield* HttpSettings
    const here = yield* publicAddressOf(call.request)
    const { href } = workspace.region === region ? here : Option.getOrElse(peerUrl, () => here)
    return json(200, {
      region: workspace.region,
      environment_id: workspace.id,
      url: href.replace(/\/$/, ""),
    })
  })
