import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { type Cause, Effect, Queue, Stream } from "effect"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { encodeKeys, keysPerRead } from "./ExportChecks.ts"
import { madeFile, type ExportJob } from "./ExportJob.ts"
import { exportDeliveries, exportPeople, type Visit } from "./exportRows.ts"

/** The most parts of a file that wait to be saved. */
const waitingPartsMax = 4

const compressed = (text: string) => Effect.promise(() => promisify(gzip)(text))

interface Services {
  readonly files: ExportFiles["Service"]
  readonly snapshots: Snapshots["Service"]
  readonly turns: ReadTurns
}

/** Saves the rows of an export, compressed part by part, and the keys of the people in it. Returns the number of rows. */
export const writeExport = Effect.fnUntraced(function* (
  { files, snapshots, turns }: Services,
  workspace: WorkspaceId,
  job: ExportJob,
) {
  const snapshot = yield* snapshots.open(workspace)
  const rowParts = yield* Queue.bounded<Uint8Array, Cause.Done>(waitingPartsMax)
  const keyParts = yield* Queue.bounded<Uint8Array, Cause.Done>(waitingPartsMax)
  const people = new Set<SubjectKey>()
  let total = 0
  const addKeys = Effect.suspend(() => {
    const part = encodeKeys(people)
    people.clear()
    return part.length === 0 ? Effect.void : Effect.asVoid(Queue.offer(keyParts, part))
  })
  const addText = Effect.fnUntraced(function* (text: string) {
    if (text !== "") yield* Queue.offer(rowParts, yield* compressed(text))
  })
  const visit: Visit = Effect.fnUntraced(function* (rows): Effect.fn.Return<void, StoreUnavailable> {
    total += rows.length
    for (const { person } of rows) {
      if (person !== null) people.add(person)
      if (people.size >= keysPerRead) yield* addKeys
    }
    yield* addText(rows.map(({ line }) => line).join(""))
  })
  const read = job.type === "customers" ? exportPeople : exportDeliveries
  const reading = read({ job, snapshot, turns, workspace }, addText, visit).pipe(
    Effect.andThen(addKeys),
    Effect.andThen(Queue.end(rowParts)),
    Effect.andThen(Queue.end(keyParts)),
  )
  const savingRows = files.save(madeFile(workspace, job, "rows"), Stream.fromQueue(rowParts))
  const savingKeys = files.save(madeFile(workspace, job, "keys"), Stream.fromQueue(keyParts))
  yield* Effect.all([reading, savingRows, savingKeys], { concurrency: 3, discard: true })
  return total
}, Effect.scoped)
