import { TooLarge } from "@inlethq/contract/access/Problem"
import {
  ImportId,
  importFileBytesMax,
  type ImportFiles,
  type ImportJob,
  type ImportJobs,
} from "@inlethq/core/ports/ImportJobs"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Option, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The longest time that the upload of a file may take. */
export const uploadMax = "1 hour"

/** The number of random bytes of an id. */
const randomBytesOfId = 6

/** Returns an id that comes after those of imports that were created earlier. */
export const newImportId = (now: EpochMillis): ImportId =>
  ImportId.make(`imp_${now.toString(36).padStart(9, "0")}${randomBytes(randomBytesOfId).toString("hex")}`)

/** Measures a file and computes its digest while it passes. Fails once it is too large. */
export class Measure {
  bytes = 0
  private readonly hash = createHash("sha256")

  readonly through = <E>(file: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E | TooLarge> =>
    Stream.mapEffect(file, (part) => this.add(part))

  get digest(): string {
    return this.hash.copy().digest("base64url")
  }

  private add(part: Uint8Array): Effect.Effect<Uint8Array, TooLarge> {
    this.bytes += part.length
    this.hash.update(part)
    if (this.bytes <= importFileBytesMax) return Effect.succeed(part)
    const megabytes = importFileBytesMax / 1024 ** 2
    return Effect.fail(new TooLarge({ detail: problemTexts.importFileTooLarge({ megabytes }) }))
  }
}

/**
 * Saves the file of an import, which then waits for its turn. Returns an empty option if the import was cancelled meanwhile. If
 * the file does not arrive whole, the import fails and its file is removed.
 */
export const saveUpload = Effect.fnUntraced(function* <E>(
  jobs: ImportJobs["Service"],
  files: ImportFiles["Service"],
  job: ImportJob,
  file: Stream.Stream<Uint8Array, E>,
): Effect.fn.Return<Option.Option<ImportJob>, E | TooLarge | StoreUnavailable> {
  const measure = new Measure()
  yield* files.save(job, measure.through(file)).pipe(
    Effect.onError(() =>
      Effect.ignoreCause(
        Effect.gen(function* () {
          const endedAt = yield* Clock.currentTimeMillis
          yield* jobs.save(
            { ...job, state: "failed", failure: "upload_interrupted", bytes: measure.bytes, endedAt },
            [],
          )
          yield* files.remove(job)
        }),
        { log: "Warn", message: "an import whose upload failed was not ended yet" },
      ),
    ),
  )
  const waiting: ImportJob = { ...job, state: "waiting", bytes: measure.bytes, digest: measure.digest }
  if (yield* jobs.save(waiting, [])) return Option.some({ ...waiting, version: job.version + 1 })
  yield* files.remove(job)
  return Option.none()
})
