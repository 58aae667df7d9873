import type { Json } from "@inlethq/core/values/Json"
import { minuteMs } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { Counted, StoredCount } from "./Counted.ts"
import { StoredPath, type Whom } from "./PathSummary.ts"
import type { Seen } from "./Seen.ts"
import { ShapeSummary, type PathBudget } from "./ShapeSummary.ts"

/** Up to this many entries of one name a minute, the data of all are looked at, and then of one in `sampledOneIn`. */
export const minuteEntriesMax = 1000
export const sampledOneIn = 16

/** What is stored of one name without its shape: its counts, the minute of the last entry, and when the shape changed last. */
export const StoredType = Schema.Struct({
  count: StoredCount,
  /** The minute of the last entry, and how many entries it has had. */
  minute: Schema.Tuple([Schema.Int, Schema.Int]),
  /** When an entry last brought a path, a type or a first absence. */
  changedAt: Schema.Int,
  /** The number of entries whose data were looked at, of paths, and of values for which there was no place. */
  entries: Schema.Int,
  paths: Schema.Int,
  unplaced: Schema.Int,
  /** The entries that did not fit the plan of the name. Missing if there were none. */
  violations: Schema.optionalKey(StoredCount),
})
export type StoredType = typeof StoredType.Type

/** All that is stored of one name. */
export interface StoredTypeAndShape {
  readonly type: StoredType
  readonly shape: StoredPath
}

/** What the entries of one name have in common: how many there were, who sent them, and what their data look like. */
export class TypeSummary {
  readonly counted: Counted
  readonly shape: ShapeSummary
  changedAt: number
  /** The entries that did not fit the plan of the name, rejected ones included. Null if there were none. */
  violations: Counted | null = null
  private minute: number
  private inMinute: number

  private constructor(
    counted: Counted,
    shape: ShapeSummary,
    changedAt: number,
    minute: number,
    inMinute: number,
  ) {
    this.counted = counted
    this.shape = shape
    this.changedAt = changedAt
    this.minute = minute
    this.inMinute = inMinute
  }

  static begin(first: Seen, budget: PathBudget): TypeSummary {
    return new TypeSummary(new Counted(first), new ShapeSummary(first, budget), first.receivedAt, 0, 0)
  }

  static from({ shape, type }: StoredTypeAndShape, budget: PathBudget): TypeSummary {
    const [minute, inMinute] = type.minute
    const summary = new TypeSummary(
      Counted.from(type.count),
      ShapeSummary.from(shape, type.unplaced, budget),
      type.changedAt,
      minute,
      inMinute,
    )
    if (type.violations !== undefined) summary.violations = Counted.from(type.violations)
    return summary
  }

  /** Adds an entry. */
  add(data: Json, seen: Seen, whom: Whom): void {
    if (this.counted.has(seen)) return
    this.counted.add(seen)
    const minute = Math.floor(seen.receivedAt / minuteMs)
    if (minute !== this.minute) {
      this.minute = minute
      this.inMinute = 0
    }
    this.inMinute++
    // Which entries are looked at depends on their positions, so it does not matter in which batches they are read.
    if (this.inMinute > minuteEntriesMax && seen.position % sampledOneIn !== 0) return
    if (this.shape.add(data, seen, whom)) this.changedAt = seen.receivedAt
  }

  /** Counts an entry that did not fit the plan. One before the first of the name is left out: the summary began with that one. */
  addViolation(seen: Seen): void {
    if (seen.position < this.counted.first.position) return
    this.violations ??= new Counted(seen)
    if (!this.violations.has(seen)) this.violations.add(seen)
  }

  stored(): StoredTypeAndShape {
    const { entries, paths, root, unplaced } = this.shape
    return {
      type: {
        count: this.counted.stored(),
        minute: [this.minute, this.inMinute],
        changedAt: this.changedAt,
        entries,
        paths,
        unplaced,
        ...(this.violations !== null && { violations: this.violations.stored() }),
      },
      shape: root.stored(),
    }
  }
}
