import { Effect, Option } from "effect"
import { Settings } from "../Settings.ts"
import { json } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"
import { unrecorded } from "./commit.ts"
import { publicAddressOf } from "./browserSettings.ts"
import { authenticated } from "./track.ts"
import { trackV1Errors } from "./trackAnswers.ts"

/**
 * GET `/accounts/region`: returns the region of the workspace, and the address of that region's node (track-api §4.3).
 * The nodes of both regions handle this call for any workspace.
 */
export const region: Endpoint = authenticated(trackV1Errors, (call, workspace) =>
  Effect.gen(function* () {
    const { peerUrl, region } = yield* Settings
    const here = yield* publicAddressOf(call.request)
    const { href } = workspace.region === region ? here : Option.getOrElse(peerUrl, () => here)
    return unrecorded(
      json(200, {
        region: workspace.region,
        environment_id: workspace.id,
        url: href.replace(/\/$/, ""),
      }),
    )
  }),
)
