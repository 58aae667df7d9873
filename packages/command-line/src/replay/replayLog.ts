import { ExportEnd, ExportTrailer } from "@inlethq/contract/transfer/Exports"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { managementTexts } from "@inlethq/contract/values/managementTexts"
import type { ReplayedEntry } from "@inlethq/contract/transfer/ReplayedEntry"
import { nextAfter, Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import { Clock, Effect, Schedule, Schema, Stream } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { count } from "../output/text.ts"
import { showImportProgress } from "../exported/importProgress.ts"
import { carrySegments } from "./carrySegments.ts"
import type { ReplaySource } from "./ReplaySource.ts"
import type { ReplayTally } from "./ReplayTally.ts"
import type { ReplayTarget } from "./ReplayTarget.ts"

/** The largest number of entities, and of their bytes as JSON, in one request. The server accepts 1,000 and 1 MiB. */
const entitiesPerBatch = 500
const bytesPerBatch = 400 * 1024

/** Retries for 30 seconds while the server is busy or starts anew. */
const retries = { schedule: Schedule.spaced("1 second"), times: 30 }

/** Where entries go; null if the replay only tries. */
export interface Destination {
  readonly target: ReplayTarget
  readonly webhooks: boolean
  /** The largest number of entries a second, or null for as many as the servers take. */
  readonly rate: number | null
  /** The largest number of entries that it takes, or null if it takes all. */
  readonly entriesMax: number | null
}

const isTrailer = Schema.is(ExportTrailer)
const isEnd = Schema.is(ExportEnd)

/** Replays a log. A server ends its answer after half an hour, and the next one begins where it ended. */
export const replayLog = Effect.fnUntraced(function* (
  source: ReplaySource,
  destination: Destination | null,
  tally: ReplayTally,
) {
  const sender = new Sender(source, destination, tally, yield* Clock.currentTimeMillis)
  let isWhole = false
  while (!isWhole) {
    const before = tally.position
    const from = before === null ? source.query.from : nextAfter(Sequence.make(before))
    if (from !== undefined && source.query.to !== undefined && from > source.query.to) return
    const query = { ...source.query, ...(from !== undefined && { from }) }
    const lines = yield* source.client.exports.replay({ params: { w: source.workspace }, query })
    let problem: string | null = managementTexts.connectionClosed()
    yield* Stream.runForEach(lines, (line) => {
      if (!isTrailer(line)) return sender.add(line)
      problem = isEnd(line) ? null : line.error
      return Effect.void
    })
    yield* sender.flush()
    isWhole = problem === null
    if (!isWhole && tally.position === before) {
      return yield* new CommandFailed({
        message: managementTexts.exportInterrupted({ problem: problem ?? "" }),
      })
    }
  }
})

/** Sends entries in batches, not faster than the rate. */
class Sender {
  private readonly source: ReplaySource
  private readonly destination: Destination | null
  private readonly tally: ReplayTally
  private readonly started: number
  private waiting: Array<ReplayedEntry> = []
  private entities = 0
  private bytes = 0
  private segments: ReadonlyMap<number, SubjectKey> | undefined

  constructor(source: ReplaySource, destination: Destination | null, tally: ReplayTally, started: number) {
    this.source = source
    this.destination = destination
    this.tally = tally
    this.started = started
  }

  readonly add = Effect.fnUntraced({ self: this }, function* (this: Sender, entry: ReplayedEntry) {
    const entriesMax = this.destination?.entriesMax ?? null
    if (entriesMax !== null && this.tally.entries + this.waiting.length >= entriesMax) {
      return yield* new CommandFailed({ message: cliTexts.tooManyTried({ max: count(entriesMax) }) })
    }
    const bytes = Buffer.byteLength(JSON.stringify(entry.entities))
    const isFull =
      this.entities + entry.entities.length > entitiesPerBatch || this.bytes + bytes > bytesPerBatch
    if (isFull || this.waiting.length >= this.entriesPerBatch) yield* this.flush()
    this.waiting.push(entry)
    this.entities += entry.entities.length
    this.bytes += bytes
  })

  readonly flush = Effect.fnUntraced({ self: this }, function* (this: Sender) {
    const { destination, started, tally, waiting } = this
    if (waiting.length === 0) return
    const results = destination === null ? null : yield* this.send(destination, waiting)
    let sent = 0
    for (const entry of waiting) {
      const { entities, left_out } = entry
      if (left_out !== null) tally.leaveOut(entry, left_out)
      else if (results === null) tally.foresee(entry)
      else tally.settle(entry, results.slice(sent, (sent += entities.length)))
    }
    this.waiting = []
    this.entities = 0
    this.bytes = 0
    yield* showImportProgress({ items: tally.entries, noun: "entries", done: 0, total: undefined, started })
    yield* this.slowDown()
  })

  private get entriesPerBatch(): number {
    return Math.min(entitiesPerBatch, this.destination?.rate ?? entitiesPerBatch)
  }

  private readonly send = Effect.fnUntraced(
    { self: this },
    function* (this: Sender, { target, webhooks }: Destination, entries: ReadonlyArray<ReplayedEntry>) {
      const receivedAt = entries[0]?.received_at ?? ""
      const segments = (this.segments ??= yield* carrySegments(this.source, target, receivedAt))
      const entities = entries.flatMap((entry) => entry.entities.map((one) => withSegment(one, segments)))
      if (entities.length === 0) return []
      const payload = { entities, ...(webhooks && { webhooks }) }
      const { results } = yield* target.client.imports
        .exported({ params: { w: target.workspace }, payload })
        .pipe(Effect.retry({ while: (error) => error._tag === "Unavailable", ...retries }))
      return results
    },
  )

  private readonly slowDown = Effect.fnUntraced({ self: this }, function* (this: Sender) {
    const rate = this.destination?.rate ?? null
    if (rate === null) return
    const dueAt = this.started + (this.tally.entries / rate) * 1000
    yield* Effect.sleep(Math.max(0, dueAt - (yield* Clock.currentTimeMillis)))
  })
}

/** Segments have other ids in the target. */
const withSegment = (exported: ExportedEntity, segments: ReadonlyMap<number, SubjectKey>): ExportedEntity => {
  const { segment_id } = exported.entity
  const id = typeof segment_id === "number" ? segments.get(segment_id) : undefined
  return id === undefined ? exported : { ...exported, entity: { ...exported.entity, segment_id: id } }
}
