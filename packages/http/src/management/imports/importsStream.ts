import { blocks } from "@inlethq/wire/csv/Blocks"
import { utf8Of } from "@inlethq/wire/csv/utf8Of"
import type { ImportLine } from "@inlethq/contract/transfer/Imports"
import { type Duration, Effect, Exit, Queue, Schema, type Scope, type Semaphore, Stream } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { Tally } from "./importsTally.ts"
import { runImport, type ImportRequest, type ImportServices } from "./importsRun.ts"

/**
 * The longest time for which a client may send nothing before its import fails. While the server itself has stopped
 * reading the upload, this time does not run.
 */
export const silenceMax = "1 minute"

/**
 * The longest time for which a client may send one block of its file, 256 KiB. Otherwise a client that sends a byte a
 * minute would keep others from importing.
 */
const blockTimeMax = "3 minutes"

class Silent extends Schema.TaggedError<Silent>()("Silent", {}) {
  override get message() {
    return "the client stopped sending its file, or sent it too slowly"
  }
}

export interface ImportTerms {
  /** Limits the number of running imports. */
  readonly turns: Semaphore.Semaphore
  /** Completes when the server begins to stop, or when the sender of the file loses access. */
  readonly ended: Effect.Effect<void>
  /** Runs when the import ends, with what it counted and whether it read the whole file. */
  readonly ends: (tally: Tally, isWhole: boolean) => Effect.Effect<void>
}

/**
 * Runs an import and streams its progress, then its summary as the last line. If the summary is missing, the import was
 * interrupted, and sending the same file again resumes it. The import never waits for the client to read the progress,
 * because some clients read nothing before they have sent the whole file. A client that reads slowly gets only the
 * newest progress.
 */
export const importLines = (
  services: ImportServices,
  request: ImportRequest,
  { ended, ends, turns }: ImportTerms,
): Stream.Stream<ImportLine, unknown> => {
  const lines = Effect.gen(function* (): Effect.fn.Return<
    Stream.Stream<ImportLine, unknown>,
    never,
    Scope.Scope
  > {
    const newest = yield* Queue.sliding<ImportLine, unknown>(1)
    const tally = new Tally(request.errorsMax, yield* BrandInUse)
    yield* runImport(services, request, tally, ({ bytes }) =>
      Effect.sync(() => void Queue.offerUnsafe(newest, tally.progress(bytes))),
    ).pipe(
      turns.withPermits(1),
      Effect.onExit((exit) => ends(tally, Exit.isSuccess(exit))),
      Effect.andThen(Effect.suspend(() => Queue.offer(newest, tally.summary))),
      Effect.tapCause((cause) => Effect.logWarning("an import was interrupted", cause)),
      Effect.matchCauseEffect({
        onSuccess: () => Queue.end(newest),
        onFailure: (cause) => Queue.failCause(newest, cause),
      }),
      Effect.forkScoped,
    )
    return Stream.concat(Stream.succeed(nothingYet), Stream.fromQueue(newest))
  })
  return Stream.interruptWhen(Stream.unwrap(lines), ended)
}

const nothingYet: ImportLine = { rows: 0, imported: 0, skipped: 0, failed: 0, bytes: 0 }

/** Splits an upload into blocks. Fails if the client sends nothing for a minute, or too slowly. */
export const blocksOf = (body: Stream.Stream<Uint8Array, unknown>): ImportRequest["file"] =>
  within(blocks(utf8Of(within(body, silenceMax))), blockTimeMax)

/** Fails if the next element of a stream takes longer than this. */
export const within = <A>(stream: Stream.Stream<A, unknown>, duration: Duration.Input) =>
  Stream.timeoutOrElse(stream, { duration, orElse: () => Stream.fail(new Silent()) })
