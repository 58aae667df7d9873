import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { innerKey } from "@inlethq/core/values/deduplicationKeys"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Clock, Effect, Schedule, Stream } from "effect"
import { createHash } from "node:crypto"
import { clearProgress } from "../output/progressBar.ts"
import { Connection } from "../server/Connection.ts"
import { decoders, eventEntities, objectEntities, personEntities } from "./entitiesOf.ts"
import { expectExport, linesOf, type ExportedLine } from "./exportedLines.ts"
import { showImportProgress } from "./importProgress.ts"
import type { ImportSource } from "./ImportSource.ts"
import { ImportTally, orUnfinished } from "./ImportTally.ts"

/** The largest number of entities in one request. */
const entitiesPerBatch = 1000

/** The largest number of bytes of entities in one request. The management API accepts requests of up to 1 MiB. */
const bytesPerBatch = 400 * 1024

/** The largest number of lines that are decoded before their entities are sent. */
const linesPerGroup = 250

/** The number of characters to which the digest of a line is shortened (132 bits). */
const digestCharacters = 22

/** Retries for 10 seconds while the server is busy. */
const retries = { schedule: Schedule.spaced("1 second"), times: 10 }

export type EntityKind = "people" | "events" | "objects"

interface Item {
  readonly line: number
  readonly entity: ExportedEntity
  readonly bytes: number
}

/** Imports what `inlet export` wrote, line by line. Returns the counts and the errors of its lines. */
export const importEntities = Effect.fnUntraced(function* (
  kind: EntityKind,
  source: ImportSource,
  includesErased: boolean,
) {
  yield* expectExport(kind, source)
  const tally = new ImportTally()
  yield* sendLines(kind, source, tally, includesErased).pipe(
    Effect.ensuring(clearProgress),
    orUnfinished(tally),
  )
  return tally.summary
})

const sendLines = Effect.fnUntraced(function* (
  kind: EntityKind,
  source: ImportSource,
  tally: ImportTally,
  includesErased: boolean,
) {
  const started = yield* Clock.currentTimeMillis
  yield* linesOf(kind, source).pipe(
    Stream.grouped(linesPerGroup),
    Stream.runForEach(
      Effect.fnUntraced(function* (lines) {
        const items = (yield* Effect.forEach(lines, (line) => itemsOf(kind, line, tally))).flat()
        for (const batch of batchesOf(items)) yield* sendBatch(batch, tally, includesErased)
        for (const { number } of lines) tally.settle(number)
        yield* showImportProgress({
          items: tally.rows,
          noun: "lines",
          done: lines.at(-1)?.read ?? 0,
          total: source.size,
          started,
        })
      }),
    ),
  )
})

const entitiesIn = (kind: EntityKind, text: string) => {
  switch (kind) {
    case "people":
      return Effect.map(decoders.people(text), personEntities)
    case "events":
      return Effect.map(decoders.events(text), eventEntities)
    case "objects":
      return Effect.map(decoders.objects(text), objectEntities)
  }
}

const itemsOf = (
  kind: EntityKind,
  { number, text }: ExportedLine,
  tally: ImportTally,
): Effect.Effect<ReadonlyArray<Item>> =>
  entitiesIn(kind, text).pipe(
    Effect.map((drafts) => {
      if (drafts.length === 0) tally.fail(number, "nobody can be identified by this line")
      const digest = createHash("sha256").update(text).digest("base64url").slice(0, digestCharacters)
      return drafts.map((draft, i) => {
        const entity = { ...draft, key: draft.key ?? innerKey(`exported:${kind}:${digest}:${i}`) }
        return { line: number, entity, bytes: Buffer.byteLength(JSON.stringify(entity)) }
      })
    }),
    Effect.catch((error) => {
      tally.fail(number, `not an exported document of ${kind}: ${error.message.replaceAll(/\s+/g, " ")}`)
      return Effect.succeed([])
    }),
  )

/** Splits items into requests, in order. */
const batchesOf = (items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const batches: Array<Array<Item>> = []
  let room = 0
  for (const item of items) {
    const batch = batches.at(-1)
    if (batch !== undefined && item.bytes <= room && batch.length < entitiesPerBatch) batch.push(item)
    else {
      batches.push([item])
      room = bytesPerBatch
    }
    room -= item.bytes + 1
  }
  return batches
}

const sendBatch = Effect.fnUntraced(function* (
  items: ReadonlyArray<Item>,
  tally: ImportTally,
  includesErased: boolean,
) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { results } = yield* client.imports
    .exported({
      params: { w: workspace },
      payload: {
        entities: items.map(({ entity }) => entity),
        ...(includesErased && { include_erased: true }),
      },
    })
    .pipe(Effect.retry({ while: (error) => error._tag === "Unavailable", ...retries }))
  for (const [i, { message, outcome }] of results.entries()) {
    const line = items[i]?.line
    if (line === undefined) continue
    if (outcome === "failed") tally.fail(line, message ?? outcome)
    if (outcome === "erased") tally.leaveOut(line)
    if (outcome === "imported") tally.take(line)
    if (outcome === "imported" && message !== null) tally.note(line, `imported in part: ${message}`)
  }
})
