import { Clock, Effect, Schema, Stream } from "effect"
import { count } from "../output/text.ts"
import { clearProgress, paceOf, showProgress } from "../progressBar.ts"
import { openWithOwnKey, orRefused, type Ingestion } from "../wire/callIngestion.ts"
import { decoders, eventEntities, objectEntities, personEntities, type Entity } from "./entitiesOf.ts"
import { expectExport, linesOf, type ExportedLine } from "./exportedLines.ts"
import { ImportTally, orUnfinished } from "./ImportTally.ts"

/** The largest number of entities in one request. */
const entitiesPerBatch = 1000

/** The largest number of bytes of entities in one request. The server accepts requests of up to 500 KB. */
const bytesPerBatch = 400 * 1024

/** The largest number of lines that are decoded before their entities are sent. */
const linesPerGroup = 250

export type EntityKind = "people" | "events" | "objects"

interface Item {
  readonly line: number
  readonly entity: Entity
  readonly bytes: number
}

const BatchAnswer = Schema.fromJsonString(
  Schema.Struct({
    errors: Schema.optionalKey(
      Schema.Array(Schema.Struct({ batch_index: Schema.Int, field: Schema.String, message: Schema.String })),
    ),
  }),
)

/** Imports a file that `inlet export` wrote, line by line. Returns the counts and the errors of its lines. */
export const importEntities = Effect.fnUntraced(function* (kind: EntityKind, file: string) {
  const total = yield* expectExport(kind, file)
  const tally = new ImportTally()
  yield* sendFile(kind, file, total, tally).pipe(Effect.ensuring(clearProgress), orUnfinished(tally))
  return tally.summary
})

const sendFile = Effect.fnUntraced(function* (
  kind: EntityKind,
  file: string,
  total: number,
  tally: ImportTally,
) {
  const started = yield* Clock.currentTimeMillis
  const send = yield* openWithOwnKey("track")
  yield* linesOf(file).pipe(
    Stream.grouped(linesPerGroup),
    Stream.runForEach(
      Effect.fnUntraced(function* (lines) {
        const items = (yield* Effect.forEach(lines, (line) => itemsOf(kind, line, tally))).flat()
        for (const batch of batchesOf(items)) yield* sendBatch(send, batch, tally)
        for (const { number } of lines) tally.settle(number)
        const done = lines.at(-1)?.read ?? 0
        const elapsedMs = (yield* Clock.currentTimeMillis) - started
        const pace = paceOf({ items: tally.rows, done, total, elapsedMs })
        yield* showProgress({ done, total, label: `${count(tally.rows)} lines ${pace}` })
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
    Effect.map((entities) => {
      if (entities.length === 0) tally.fail(number, "nobody can be identified by this line")
      return entities.map((entity) => ({
        line: number,
        entity,
        bytes: Buffer.byteLength(JSON.stringify(entity)),
      }))
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
  send: Ingestion,
  items: ReadonlyArray<Item>,
  tally: ImportTally,
) {
  const answer = yield* send({
    method: "POST",
    path: "/api/v2/batch",
    body: { batch: items.map(({ entity }) => entity) },
  })
  const { errors = [] } = yield* Schema.decodeUnknownEffect(BatchAnswer)(answer.text)
  if (errors.length === 0) yield* orRefused(answer)
  for (const { batch_index, field, message } of errors) {
    const line = items[batch_index]?.line
    if (line !== undefined) tally.fail(line, field === "" ? message : `${field}: ${message}`)
  }
})
