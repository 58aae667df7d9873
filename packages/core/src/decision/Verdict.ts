import type { Change } from "../Change.ts"
import type { EntryPart } from "../log/ActivityEntry.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Json } from "../values/Json.ts"
import { describeFaults, type Fault, type FieldChange, type Outcome } from "../log/Outcome.ts"
import type { RuleName } from "../log/RuleName.ts"
import { entryReasons } from "../log/faults.ts"

/** What was decided of a command, before it is written down as an entry of the activity log. */
export interface Verdict {
  readonly outcome: Outcome
  readonly rule: RuleName
  readonly reason: string | null
  readonly subject: SubjectKey | null
  readonly name: string | null
  readonly data: Json
  readonly changes: ReadonlyArray<Change>
  readonly fields: ReadonlyArray<FieldChange>
  /** What it did for people and visitors other than its subject. */
  readonly parts?: ReadonlyArray<EntryPart>
  /** Whether the anonymous id of the request is somebody else's: it goes when they do, so the entry does not keep it. */
  readonly anonymousIdIsOthers?: boolean
}

export const noEffect = {
  reason: null,
  subject: null,
  name: null,
  data: null,
  changes: [],
  fields: [],
} as const

/** The command found nobody to act on and had no effect. */
export const dropped = (reason: string, rule: RuleName): Verdict => ({
  ...noEffect,
  outcome: "dropped",
  reason,
  rule,
})

/** The command was refused: before it came to a decision, or by what was found. */
export const rejected = (
  faults: ReadonlyArray<Fault>,
  rule: RuleName = "contract §4 recorded refusals",
): Verdict => ({
  ...noEffect,
  outcome: "rejected",
  reason: describeFaults(faults),
  rule,
})

/** The command names somebody who is suppressed: by a digest of the identifier, where it was one (contract §6). */
export const ignoredAs = (digest: string | null, name: string | null): Verdict => ({
  ...noEffect,
  outcome: "ignored",
  reason: entryReasons.suppressed(),
  rule: "contract §6 suppressed calls",
  name,
  data: digest === null ? null : { identifier_digest: digest },
})

/** The command was received before. */
export const duplicate = (subject: SubjectKey | null, name: string | null): Verdict => ({
  ...noEffect,
  outcome: "duplicate",
  reason: entryReasons.duplicate(),
  rule: "contract §8 deduplication",
  subject,
  name: subject === null ? null : name,
})

/** The command took effect: whole, or in part where there are faults. */
export const accepted = (
  outcome: "applied" | "created" | "pending",
  faults: ReadonlyArray<Fault>,
  { changes, data, fields, name, parts, rule, subject }: Partial<Verdict> & Pick<Verdict, "rule" | "subject">,
): Verdict => ({
  outcome: faults.length > 0 && outcome !== "pending" ? "partial" : outcome,
  rule,
  reason: faults.length > 0 ? describeFaults(faults) : null,
  subject,
  name: name ?? null,
  data: data ?? null,
  changes: changes ?? noEffect.changes,
  fields: fields ?? noEffect.fields,
  ...(parts !== undefined && { parts }),
})
