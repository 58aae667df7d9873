import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { summariesCursor, type LogSummaries } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Latch, Option, Schema } from "effect"
import type { Destination, ReadingSink } from "../follower/Destination.ts"
import type { SummaryThread } from "./SummaryThread.ts"
import { SummaryWriter } from "./SummaryWriter.ts"

type Services = Catalog | LogCursors | LogSummaries | Registry | SummaryThread | ThreadCatalog

/** Logs are summarized in every workspace, and nothing about it can be set. */
const NoSettings = Schema.Null

/** Summarizes the log of each workspace: which names it has, what their data look like, and why operations were not applied. */
export const typesDestination: Destination<null, Services> = {
  name: "types",
  title: "the summary of a log",
  settings: NoSettings,
  feeds: Effect.map(
    Registry.use((registry) => registry.workspaces),
    (workspaces) => workspaces.map(({ id }) => ({ workspace: id, id: null, settings: null })),
  ),
  prepare: Effect.fnUntraced(function* ({ workspace }) {
    const found = yield* Registry.use((registry) => registry.workspace(workspace))
    return Option.isNone(found) ? Option.none() : Option.some(yield* summarySink(workspace))
  }),
}

const summarySink = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const { position, token } = yield* LogCursors.use((cursors) => cursors.claim(summariesCursor(workspace)))
  const writer = new SummaryWriter({ workspace, token }, position)
  const stopped = yield* Latch.make(false)
  return {
    settings: null,
    ready: writer.rest,
    sendNext: writer.next,
    progress: () => ({
      position: writer.committed,
      oldestReceivedAt: writer.oldestReceivedAt,
      failure: null,
    }),
    run: () => Effect.ensuring(stopped.await, writer.abort),
    stop: () => void stopped.openUnsafe(),
  } satisfies ReadingSink<null, Services>
})
