import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"

/** The most differing operations that a report lists, and people that it counts one by one. */
const listedMax = 1000
const peopleMax = 100_000

/** The most kinds of differences, and of reasons why nothing can be said, that a report tells apart. */
const groupsMax = 200

/** What is compared of an operation. */
export const comparedParts = ["outcome", "clause", "codes", "refused", "changes", "data", "plan"] as const
export type ComparedPart = (typeof comparedParts)[number]

/** How an operation was decided: what a report says of it, without any value. */
export interface Decision {
  readonly outcome: ActivityEntry["outcome"]
  readonly rule: string | null
  readonly codes: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly path: string; readonly code: string }>
}

/** An operation that would be decided otherwise. */
export interface DifferingOperation {
  readonly sequence: Sequence
  readonly batchIndex: number | null
  readonly receivedAt: number
  readonly subject: SubjectKey | null
  readonly kind: ActivityEntry["kind"]
  readonly name: string | null
  readonly differs: ReadonlyArray<ComparedPart>
  /** Null if it would not have been made. */
  readonly now: Decision | null
  readonly tried: Decision | null
}

/** How many operations differ alike, and the first of them. */
export interface Group {
  readonly now: Decision | null
  readonly tried: Decision | null
  readonly differs: ReadonlyArray<ComparedPart>
  readonly first: DifferingOperation
  count: number
}

export interface Undecided {
  readonly code: string
  readonly first: Pick<ActivityEntry, "sequence" | "batchIndex">
  count: number
}

/** What a trial has found so far. */
export class TrialTally {
  entries = 0
  decided = 0
  undecided = 0
  operations = 0
  /** The position of the last entry. */
  position: Sequence | null = null
  private readonly people = new Set<SubjectKey>()
  private known = 0
  readonly listed: Array<DifferingOperation> = []
  readonly groups = new Map<string, Group>()
  readonly reasons = new Map<string, Undecided>()

  /** How many people would be different: at most `peopleMax`. */
  get peopleCount(): number {
    return Math.max(this.known, this.people.size)
  }

  /** Forgets who the people are, once nothing is added any more. */
  seal(): void {
    this.known = this.people.size
    this.people.clear()
  }

  differ(operation: DifferingOperation): void {
    this.operations++
    const { differs, now, subject, tried } = operation
    if (subject !== null && this.people.size < peopleMax) this.people.add(subject)
    if (this.listed.length < listedMax) this.listed.push(operation)
    const key = JSON.stringify([now, tried, differs])
    const group = this.groups.get(key)
    if (group !== undefined) group.count++
    else if (this.groups.size < groupsMax)
      this.groups.set(key, { now, tried, differs, first: operation, count: 1 })
  }

  /** Counts an operation of which the log does not say enough to decide it again. */
  undecidable({ batchIndex, sequence }: ActivityEntry, code: string): void {
    this.undecided++
    const known = this.reasons.get(code)
    if (known !== undefined) known.count++
    else if (this.reasons.size < groupsMax)
      this.reasons.set(code, { code, first: { sequence, batchIndex }, count: 1 })
  }
}
