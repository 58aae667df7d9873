import { Effect, Option } from "effect"
import { Settings } from "../Settings.ts"
import { json } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"
import { unrecorded } from "./commit.ts"
import { addressOf } from "./settings.ts"
import { authenticated } from "./track.ts"
import { trackV1Turned } from "./turned.ts"

/**
 * GET `/accounts/region`: in which region the workspace of the credentials lives, and at which address (track-api §4.3);
 * either region answers for both.
 */
export const region: Endpoint = authenticated(trackV1Turned, (call, workspace) =>
  Effect.gen(function* () {
    const { peerUrl, region } = yield* Settings
    const here = yield* addressOf(call.request)
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
