import type { Change } from "./Change.ts"
import type { SubjectKey } from "./Identifier.ts"
import type { Json } from "./Json.ts"
import { describeFaults, type Fault, type FieldChange, type Outcome } from "./Outcome.ts"

/** What was decided of a command, before it is written down as an entry of the activity log. */
export interface Verdict {
  readonly outcome: Outcome
  readonly rule: string
  readonly reason: string | null
  readonly subject: SubjectKey | null
  readonly name: string | null
  readonly data: Json
  readonly changes: ReadonlyArray<Change>
  readonly fields: ReadonlyArray<FieldChange>
}

const nothing = { reason: null, subject: null, name: null, data: null, changes: [], fields: [] } as const

/** The command found nobody to act on and had no effect. */
export const dropped = (reason: string, rule: string): Verdict => ({
  ...nothing,
  outcome: "dropped",
  reason,
  rule,
})

/** The command was refused before it came to a decision. */
export const rejected = (faults: ReadonlyArray<Fault>): Verdict => ({
  ...nothing,
  outcome: "rejected",
  reason: describeFaults(faults),
  rule: "contract §4",
})

/** The command was received before. */
export const duplicate = (subject: SubjectKey | null, name: string | null): Verdict => ({
  ...nothing,
  outcome: "duplicate",
  reason: "an operation with this id was received before",
  rule: "contract §8",
  subject,
  name: subject === null ? null : name,
})

/** What a command does, while it is being decided. */
export interface Effects {
  readonly changes: Array<Change>
  readonly fields: Array<FieldChange>
  readonly faults: Array<Fault>
}

/** The command took effect: whole, or in part where there are faults. */
export const effective = (
  outcome: "applied" | "created" | "pending",
  faults: ReadonlyArray<Fault>,
  { changes, data, fields, name, rule, subject }: Partial<Verdict> & Pick<Verdict, "rule" | "subject">,
): Verdict => ({
  outcome: faults.length > 0 && outcome !== "pending" ? "partial" : outcome,
  rule,
  reason: faults.length > 0 ? describeFaults(faults) : null,
  subject,
  name: name ?? null,
  data: data ?? null,
  changes: changes ?? nothing.changes,
  fields: fields ?? nothing.fields,
})
