import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Layer, Option, Redacted } from "effect"
import { WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { addressFrom, Connection, workspaceFrom } from "../server/Connection.ts"
import { variable } from "../server/variable.ts"

/** The workspace into which a log is replayed, and the client of its server. */
export interface ReplayTarget {
  readonly url: string
  readonly workspace: WorkspaceId
  readonly client: ManagementClient["Service"]
}

/**
 * Returns the workspace to replay. `--workspace` names it, unless `--to` has an address without a workspace: then
 * `--workspace` belongs to that address.
 */
export const sourceOf = Effect.fnUntraced(function* (to: Option.Option<string>) {
  const { workspace, workspaceFrom: from } = yield* Connection
  const isOfTarget = from === "--workspace" && Option.isSome(to) && !to.value.includes("#")
  return isOfTarget ? yield* workspaceFrom(variable("INLET_WORKSPACE") ?? "1") : workspace
})

/** Returns the workspace that `URL#2` names, or `URL` with `--workspace 2`. Without a URL it is on the same server. */
export const targetAt = Effect.fnUntraced(function* (text: string, source: WorkspaceId) {
  const { token: own, url: ownUrl, workspace: given, workspaceFrom: from } = yield* Connection
  const at = text.lastIndexOf("#")
  if (at < 0 && from !== "--workspace") {
    return yield* new WrongOption({ message: cliTexts.wrongReplayTarget() })
  }
  const address = at < 0 ? text : text.slice(0, at)
  const url = address === "" ? ownUrl : yield* addressFrom(address, cliTexts.wrongReplayTarget())
  const workspace = at < 0 ? given : yield* workspaceFrom(text.slice(at + 1))
  if (url === ownUrl && workspace === source) {
    return yield* new WrongOption({ message: cliTexts.replayIntoItself() })
  }
  const toToken = variable("INLET_TO_TOKEN")
  // The token of one server is never sent to another.
  if (toToken === undefined && url !== ownUrl) {
    return yield* new WrongOption({ message: cliTexts.replayTokenMissing({ url }) })
  }
  const token = toToken === undefined ? yield* Effect.fromResult(own) : Redacted.make(toToken)
  const layer = Layer.fresh(ManagementClient.layer({ url, token }))
  const target: ReplayTarget = { url, workspace, client: yield* Effect.provide(ManagementClient, layer) }
  return target
})
