import { CountTable, type ActivityCounts, type CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { kindOf, outcomeOf } from "../columns/codes.ts"
import { integer, type Row } from "../columns/columns.ts"
import {
  blockFromSql,
  blocksSql,
  groupIn,
  inOneStep,
  noKind,
  stepValues,
  type CountedGroup,
} from "../search/logCounts.ts"
import { rowsPerQueryMax } from "../budgets/ReadBudget.ts"
import type { Read } from "./ReadQueries.ts"

/** The largest number of entries that one read counts one by one, because they are in no counted block yet. */
const newestMax = 2_000_000

/** The largest number of log positions in the blocks that one read adds up. */
const blockPositionsMax = 20_480_000

/** The largest number of blocks that one slice counts by steps. */
const cutBlocksPerSlice = 16

/** A group of entries in a block that were received in several steps. */
interface CutGroup {
  readonly block: number
  readonly kind: number
  readonly outcome: number
}

/**
 * Counts log entries by time of receipt (in steps of equal length), kind and outcome, from the newest to the oldest. The
 * newest entries are counted one by one. Of older ones, housekeeping has counted whole blocks, and only a block with
 * the end of a step is counted again.
 */
export const readCounts = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  steps: CountedSteps,
): Effect.fn.Return<ActivityCounts, StoreUnavailable> {
  const sums = new Sums(steps)
  const until = steps.from + steps.steps * steps.stepMs
  const log = yield* read((queries) => queries.countedLog(workspace))
  const [last] = yield* read(({ ask }) => ask.rows(blockFromSql, workspace, until))
  const lastBlock = last === undefined ? undefined : integer(last["block"])
  if (lastBlock === undefined) {
    const oldest = Math.max(log.counted, log.end - newestMax)
    for (let to = log.end; to > oldest && !sums.areComplete; to -= rowsPerQueryMax) {
      const first = Math.max(oldest, to - rowsPerQueryMax)
      sums.add(yield* read((queries) => queries.countEntries(workspace, first, to, steps)))
    }
    if (oldest > log.counted && !sums.areComplete) return sums.part()
  }
  const end = lastBlock === undefined ? log.counted / log.blockEntries : lastBlock + 1
  const oldest = Math.max(0, end - Math.floor(blockPositionsMax / log.blockEntries))
  for (let to = end; to > oldest && !sums.areComplete; to -= log.blocksPerQuery) {
    const first = Math.max(oldest, to - log.blocksPerQuery)
    const rows = yield* read(({ ask }) => ask.rows(blocksSql, workspace, first, to, ...stepValues(steps)))
    const cut = sums.addBlocks(rows)
    yield* countCut(read, workspace, cut, sums)
  }
  return oldest > 0 && !sums.areComplete ? sums.part() : sums.whole()
})

/** Counts the groups whose entries were received in several steps. */
const countCut = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  cut: ReadonlyArray<CutGroup>,
  sums: Sums,
): Effect.fn.Return<void, StoreUnavailable> {
  const blocks = [...new Set(cut.map(({ block }) => block))]
  for (let at = 0; at < blocks.length; at += cutBlocksPerSlice) {
    const some = blocks.slice(at, at + cutBlocksPerSlice)
    const counted = yield* read((queries) =>
      Effect.forEach(some, (block) => queries.countBlock(workspace, block, sums.steps), {
        concurrency: "unbounded",
      }),
    )
    counted.forEach((groups, place) => {
      const own = cut.filter(({ block }) => block === some[place])
      sums.add(groups.filter((one) => own.some((group) => isSame(group, one))))
    })
  }
})

const isSame = (
  a: Pick<CountedGroup, "kind" | "outcome">,
  b: Pick<CountedGroup, "kind" | "outcome">,
): boolean => a.kind === b.kind && a.outcome === b.outcome

class Sums {
  readonly steps: CountedSteps
  /** Whether entries were found that were received before the first step. All older entries were too. */
  areComplete = false
  private readonly table = new CountTable()

  constructor(steps: CountedSteps) {
    this.steps = steps
  }

  add(groups: ReadonlyArray<CountedGroup>): void {
    for (const { count, kind, outcome, step } of groups) {
      if (step < 0) this.areComplete = true
      else if (step < this.steps.steps) {
        this.table.add(
          { step, kind: kind === noKind ? null : kindOf(kind), outcome: outcomeOf(outcome) },
          count,
        )
      }
    }
  }

  /** Adds the groups whose entries were all received in one step. Returns the others. */
  addBlocks(rows: ReadonlyArray<Row>): ReadonlyArray<CutGroup> {
    const groups = rows.map((row) => ({ block: integer(row["block"]), ...groupIn(row) }))
    this.add(groups.filter(({ block }) => block === inOneStep))
    return groups.filter(({ block }) => block !== inOneStep)
  }

  whole(): ActivityCounts {
    return { counts: this.table.counts(), firstStep: 0 }
  }

  /**
   * Returns what was counted if older entries were not. The step in which counting ended is incomplete, so it is left
   * out.
   */
  part(): ActivityCounts {
    const counts = this.table.counts()
    const firstStep = Math.min(this.steps.steps, (counts[0]?.step ?? this.steps.steps - 1) + 1)
    return { counts: counts.filter(({ step }) => step >= firstStep), firstStep }
  }
}
