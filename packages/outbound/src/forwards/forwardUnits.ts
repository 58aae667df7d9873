import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import { Snapshots, type Snapshot } from "@inlethq/core/catalog/Snapshots"
import { passageIn } from "@inlethq/core/forward/passage"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { operationIdText, Sequence, type Identifier } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import { sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { forwardedCalls, isErasingKind, type ForwardStyle } from "@inlethq/log/call/forwardedCalls"
import { NamesReader } from "@inlethq/log/call/NamesReader"
import type { IdentifierChanges } from "@inlethq/log/history/IdentifierChanges"
import { Effect } from "effect"

/** The most entries between two that are sent which are read on the way. Beyond that, the names are looked up again. */
const passedEntriesMax = 200

/** The most entries of one person that are gone back through to find a name that they had. */
const namingEntriesMax = 1000

/** What is sent of one entry. */
export interface ForwardUnit {
  readonly position: EventPosition
  readonly sequence: Sequence
  readonly operationId: string
  readonly calls: ReadonlyArray<JsonObject>
  /** The number of `calls`. */
  readonly items: number
  readonly bytes: number
  /** The workspaces that had sent the call on before it arrived here. */
  readonly passage: ReadonlyArray<string>
  /** Whether it tells that somebody was erased. Such an entry is itself not shown in full. */
  readonly isErasing: boolean
}

/** Reads entries in one view of the workspace as it is now, so that nothing of anybody who was erased is in them. */
export const forwardUnits = Effect.fnUntraced(function* (
  workspace: Workspace,
  style: ForwardStyle,
  positions: ReadonlyArray<EventPosition>,
  namesAt: ReadonlyMap<Sequence, ReadonlyArray<Identifier>>,
  changes: IdentifierChanges,
) {
  const snapshot = yield* Snapshots.use((snapshots) => snapshots.open(workspace.id))
  const sequences = positions.flatMap((position) => sequenceAt(position) ?? [])
  if (sequences.length === 0) return []
  const haveStayed = yield* changes.follow(snapshot, workspace.id, Math.min(...sequences) - 1)
  const namesFrom = () => new NamesReader(snapshot, workspace, namingEntriesMax, haveStayed)
  const reader = new UnitReader({ snapshot, workspace, style, namesAt, namesFrom })
  const units: Array<ForwardUnit> = []
  for (const position of positions) {
    const unit = yield* reader.read(position)
    if (unit !== null) units.push(unit)
  }
  return units
}, Effect.scoped)

interface Reading {
  readonly snapshot: Snapshot
  readonly workspace: Workspace
  readonly style: ForwardStyle
  readonly namesAt: ReadonlyMap<Sequence, ReadonlyArray<Identifier>>
  readonly namesFrom: () => NamesReader
}

class UnitReader {
  private readonly reading: Reading
  private names: NamesReader
  /** The entries that were read ahead, in order. */
  private ahead: ReadonlyArray<ActivityRecord> = []
  /** Every entry up to this one has passed `names`. */
  private passed: Sequence | null = null

  constructor(reading: Reading) {
    this.reading = reading
    this.names = reading.namesFrom()
  }

  readonly read = Effect.fnUntraced(
    { self: this },
    function* (
      this: UnitReader,
      position: EventPosition,
    ): Effect.fn.Return<ForwardUnit | null, StoreUnavailable> {
      const sequence = sequenceAt(position)
      const record = sequence === null ? undefined : yield* this.recordAt(sequence)
      if (record === undefined) return null
      const { entry, sender } = record
      const { namesAt, style } = this.reading
      const told = namesAt.get(entry.sequence) ?? null
      const calls = forwardedCalls(record, yield* this.names.namesFor(record), style, told)
      this.pass(record)
      if (typeof calls === "string" || calls.length === 0) return null
      return {
        position,
        sequence: entry.sequence,
        operationId: operationIdText(entry.workspace, entry.sequence, entry.batchIndex),
        calls,
        items: calls.length,
        bytes: calls.reduce((sum, call) => sum + Buffer.byteLength(JSON.stringify(call)) + 1, 0),
        passage: passageIn(sender?.via),
        isErasing: isErasingKind(entry.kind),
      }
    },
  )

  private pass(record: ActivityRecord): void {
    this.names.passed(record)
    this.passed = record.entry.sequence
  }

  /** Returns the entry at a position. The entries before it pass the names, unless there are too many. */
  private readonly recordAt = Effect.fnUntraced(
    { self: this },
    function* (
      this: UnitReader,
      sequence: Sequence,
    ): Effect.fn.Return<ActivityRecord | undefined, StoreUnavailable> {
      if (this.passed === null || sequence - this.passed > passedEntriesMax || sequence <= this.passed) {
        this.names = this.reading.namesFrom()
        this.ahead = []
        this.passed = sequence > 1 ? Sequence.make(sequence - 1) : null
      }
      for (;;) {
        for (const record of this.ahead) {
          if (record.entry.sequence > sequence) return undefined
          this.ahead = this.ahead.slice(1)
          if (record.entry.sequence === sequence) return record
          this.pass(record)
        }
        const page = { after: this.passed, limit: passedEntriesMax, order: "asc" } as const
        const { snapshot, workspace } = this.reading
        const { items } = yield* snapshot.activity(workspace.id, noFilter, page)
        if (items.length === 0) return undefined
        this.ahead = items
      }
    },
  )
}
