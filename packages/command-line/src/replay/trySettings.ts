import type { WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Layer, Redacted } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { compareWorkspaces } from "../diff/compareWorkspaces.ts"
import type { Difference } from "../diff/differences.ts"
import { Side } from "../diff/Side.ts"
import { replayLog } from "./replayLog.ts"
import type { ReplaySource } from "./ReplaySource.ts"
import type { ReplayTally } from "./ReplayTally.ts"
import type { ReplayTarget } from "./ReplayTarget.ts"
import { decidingSettings } from "./triedSettings.ts"

/** The most entries that are decided in memory, twice. They need up to 2 KB each. */
export const triedEntriesMax = 500_000

/** The longest history there is, so that nothing of what is tried is pruned. */
const historyDays = 36_500

/**
 * Decides a part of a log twice in memory, by the settings of its workspace and by other settings, and reports who would be
 * different: `here` as they would be now, `there` with the other settings. Both begin without people.
 */
export const trySettings = Effect.fnUntraced(function* <E, R>(
  source: ReplaySource,
  settings: WorkspacePatch,
  tallies: { readonly now: ReplayTally; readonly tried: ReplayTally },
  report: (differences: ReadonlyArray<Difference>) => Effect.Effect<void, E, R>,
) {
  const current = decidingSettings(yield* source.client.workspaces.get({ params: { w: source.workspace } }))
  const limits = { ...current.limits, ...settings.limits }
  const now = yield* memoryTarget(current)
  const tried = yield* memoryTarget({ ...current, ...settings, limits })
  for (const [target, tally] of [
    [now, tallies.now],
    [tried, tallies.tried],
  ] as const) {
    yield* replayLog(source, { target, webhooks: false, rate: null, entriesMax: triedEntriesMax }, tally)
  }
  yield* compareWorkspaces(sideOf(now), sideOf(tried), report)
}, Effect.scoped)

const sideOf = ({ client, workspace }: ReplayTarget): Side => new Side(client, workspace)

/** Starts a server in memory with one workspace, and stops it when the scope closes. */
export const memoryTarget = Effect.fnUntraced(function* (settings: WorkspacePatch) {
  const { managementToken, url } = yield* Effect.acquireRelease(
    // The server's code is loaded on demand, so that all other commands start faster and use less memory.
    Effect.tryPromise(async () => (await import("@inlethq/testing")).createInlet()),
    (started) => Effect.promise(() => started.close()),
  ).pipe(
    Effect.mapError(
      ({ cause }) => new CommandFailed({ message: cliTexts.notTried({ problem: String(cause) }) }),
    ),
  )
  const layer = ManagementClient.layer({ url, token: Redacted.make(managementToken) })
  const client = yield* Effect.provide(ManagementClient, Layer.fresh(layer))
  return yield* targetOf(client, url, settings)
})

/** Makes a workspace on a server that nothing else uses. */
export const targetOf = Effect.fnUntraced(function* (
  client: ManagementClient["Service"],
  url: string,
  settings: WorkspacePatch,
) {
  const payload = { ...settings, name: "tried", history_days: historyDays }
  const { environment_id } = yield* client.workspaces.create({ payload })
  const workspace: WorkspaceId = environment_id
  return { url, workspace, client } satisfies ReplayTarget
})
