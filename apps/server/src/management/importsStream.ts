import { blocks } from "@inlet/api/csv/Blocks"
import type { ImportLine } from "@inlet/api/management/Imports"
import { Effect, Queue, Schema, type Semaphore, Stream } from "effect"
import { runImport, type ImportRequest, type ImportServices } from "./importsRun.ts"

/** How long a client may send nothing while it is listened to. */
const silenceMax = "1 minute"

class Silent extends Schema.TaggedError<Silent>()("Silent", {}) {
  override get message() {
    return "the client stopped sending its file"
  }
}

/** What imports share: they run in turns, and end when the server begins to stop. */
export interface ImportTerms {
  readonly turns: Semaphore.Semaphore
  readonly draining: Effect.Effect<void>
}

/**
 * The answer to a file: how far the import is, again and again, and at its end what became of it. An answer without that
 * last line broke off: the same file again goes on where it stopped. The import never waits for a client to listen, who
 * may send everything first; whoever listens is told the newest.
 */
export const importLines = (
  services: ImportServices,
  request: ImportRequest,
  { draining, turns }: ImportTerms,
): Stream.Stream<ImportLine, unknown> => {
  const lines = Effect.gen(function* () {
    const newest = yield* Queue.sliding<ImportLine, unknown>(1)
    yield* runImport(services, request, (progress) => {
      Queue.offerUnsafe(newest, progress)
    }).pipe(
      turns.withPermits(1),
      Effect.tap((summary) => Queue.offer(newest, summary)),
      Effect.tapCause((cause) => Effect.logWarning("an import broke off", cause)),
      Effect.matchCauseEffect({
        onSuccess: () => Queue.end(newest),
        onFailure: (cause) => Queue.failCause(newest, cause),
      }),
      Effect.forkScoped,
    )
    return Stream.concat(Stream.succeed(nothingYet), Stream.fromQueue(newest))
  })
  return Stream.interruptWhen(Stream.unwrap(lines), draining)
}

const nothingYet: ImportLine = { rows: 0, imported: 0, skipped: 0, failed: 0, bytes: 0 }

/** The blocks of a file, as long as the client goes on sending it. */
export const attended = (body: Stream.Stream<Uint8Array, unknown>): ImportRequest["file"] =>
  blocks(Stream.timeoutOrElse(body, { duration: silenceMax, orElse: () => Stream.fail(new Silent()) }))
