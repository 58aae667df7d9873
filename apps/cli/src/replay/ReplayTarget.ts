import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Layer, Redacted } from "effect"
import { WrongOption } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { addressFrom, Connection, workspaceFrom } from "../server/Connection.ts"
import { variable } from "../server/variable.ts"

/** The workspace into which a log is replayed, and the client of its server. */
export interface ReplayTarget {
  readonly url: string
  readonly workspace: WorkspaceId
  readonly client: ManagementClient["Service"]
}

/** Returns the workspace that `URL#2` names. Without a URL it is on the same server. */
export const targetAt = Effect.fnUntraced(function* (text: string) {
  const { token: own, url: ownUrl, workspace: ownWorkspace } = yield* Connection
  const at = text.lastIndexOf("#")
  if (at < 0) return yield* new WrongOption({ message: cliTexts.wrongReplayTarget() })
  const url = at === 0 ? ownUrl : yield* addressFrom(text.slice(0, at), cliTexts.wrongReplayTarget())
  const workspace = yield* workspaceFrom(text.slice(at + 1))
  if (url === ownUrl && workspace === ownWorkspace) {
    return yield* new WrongOption({ message: cliTexts.replayIntoItself() })
  }
  const given = variable("INLET_TO_TOKEN")
  // The token of one server is never sent to another.
  if (given === undefined && url !== ownUrl) {
    return yield* new WrongOption({ message: cliTexts.replayTokenMissing({ url }) })
  }
  const token = given === undefined ? yield* Effect.fromResult(own) : Redacted.make(given)
  const layer = Layer.fresh(ManagementClient.layer({ url, token }))
  const target: ReplayTarget = { url, workspace, client: yield* Effect.provide(ManagementClient, layer) }
  return target
})
