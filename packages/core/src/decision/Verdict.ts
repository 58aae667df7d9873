import type { Change } from "../fold/Change.ts"
import type { ActivityEntry, EntryPart } from "../log/ActivityEntry.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Json } from "../values/Json.ts"
import type { Fault, FieldChange, Outcome } from "../log/Outcome.ts"
import { reasonsOf } from "../log/reasonsOf.ts"
import { noReasons, type Reason } from "../log/Reason.ts"
import { refusedValues, type RefusedValue } from "../log/RefusedValue.ts"
import type { RejectedCall } from "../log/RejectedCall.ts"
import type { ClauseName } from "../log/ClauseName.ts"
import { ignoreTexts } from "../log/operationTexts.ts"

/** The decision on a command, from which its activity entry is made. */
export interface Verdict {
  readonly outcome: Outcome
  readonly rule: ClauseName
  readonly reasons: ReadonlyArray<Reason>
  readonly subject: SubjectKey | null
  /** The key under which the entry is recorded, if it is not that of the subject but belongs to it. */
  readonly via?: SubjectKey
  readonly name: string | null
  readonly data: Json
  readonly changes: ReadonlyArray<Change>
  readonly fields: ReadonlyArray<FieldChange>
  /** The effects on people and visitors who are named in a request about an object. */
  readonly parts?: ReadonlyArray<EntryPart>
  /** What is kept of a rejected call. */
  readonly call?: RejectedCall
  /** The values that the operation left out. Missing if it left nothing out. */
  readonly refused?: ReadonlyArray<RefusedValue>
  /** Values that deciding read otherwise, beside those that the decoder did. Missing if there are none. */
  readonly keptAs?: ActivityEntry["keptAs"]
  /**
   * Whether the anonymous id of the request belongs to another person. If so, the entry must not contain the anonymous
   * id, because deleting that person would not delete the entry.
   */
  readonly anonymousIdIsOthers?: boolean
}

export const noEffect = {
  reasons: noReasons,
  subject: null,
  name: null,
  data: null,
  changes: [],
  fields: [],
} as const

/**
 * Returns the verdict on a command that has no effect, in most cases because a person or object that it names does not
 * exist.
 */
export const dropped = (reason: Reason, rule: ClauseName): Verdict => ({
  ...noEffect,
  outcome: "dropped",
  reasons: [reason],
  rule,
})

/** Returns the verdict on an invalid command. Its faults were found while the command was decoded or decided. */
export const rejected = (
  faults: ReadonlyArray<Fault>,
  rule: ClauseName = "contract §4 recorded refusals",
): Verdict => ({
  ...noEffect,
  outcome: "rejected",
  reasons: reasonsOf(faults),
  rule,
})

/**
 * Returns the verdict on a command that names a suppressed person. The entry holds a digest in place of the suppressed
 * identifier (contract §6).
 */
export const ignoredAs = (digest: string | null, name: string | null): Verdict => ({
  ...noEffect,
  outcome: "ignored",
  reasons: [ignoreTexts.suppressed()],
  rule: "contract §6 suppressed calls",
  name,
  data: digest === null ? null : { identifier_digest: digest },
})

/** Returns the verdict on a command of a bot in a workspace that ignores bots. */
export const ignoredBot = (name: string | null): Verdict => ({
  ...noEffect,
  outcome: "ignored",
  reasons: [ignoreTexts.bot()],
  rule: "contract §13 bots",
  name,
})

/** Returns the verdict on a command that was received before. */
export const duplicate = (subject: SubjectKey | null, name: string | null, reason: Reason): Verdict => ({
  ...noEffect,
  outcome: "duplicate",
  reasons: [reason],
  rule: "contract §8 deduplication",
  subject,
  name: subject === null ? null : name,
})

/**
 * Returns the verdict on a command that took effect. If there are faults, the outcome `applied` or `created` becomes
 * `partial`, and the rule that decided about the first refused value becomes the rule of the operation (contract §16 *refused
 * values*). The entry keeps the refused values if erasing its subject erases the entry.
 */
export const accepted = (
  outcome: "applied" | "created" | "pending",
  faults: ReadonlyArray<Fault>,
  { changes, data, fields, name, parts, rule, subject }: Partial<Verdict> & Pick<Verdict, "rule" | "subject">,
): Verdict => {
  const isErasable = subject !== null || outcome === "pending"
  const refused = faults.length === 0 ? undefined : refusedValues(faults, subject, isErasable)
  const isPartial = refused !== undefined && outcome !== "pending"
  return {
    outcome: isPartial ? "partial" : outcome,
    rule: isPartial ? (refused[0]?.rule ?? rule) : rule,
    reasons: refused === undefined ? noReasons : reasonsOf(faults),
    subject,
    name: name ?? null,
    data: data ?? null,
    changes: changes ?? noEffect.changes,
    fields: fields ?? noEffect.fields,
    ...(parts !== undefined && { parts }),
    ...(refused !== undefined && { refused }),
  }
}

/** Adds to a verdict what its entry says beside why something was left out. */
export const withNote = (verdict: Verdict, note: Reason | null): Verdict =>
  note === null ? verdict : { ...verdict, reasons: [...verdict.reasons, note] }

/**
 * Returns the verdict on a command that took effect and erased the people it is about, so that its entry must not keep
 * any value.
 */
export const acceptedErasing = (
  faults: ReadonlyArray<Fault>,
  verdict: Parameters<typeof accepted>[2],
): Verdict => accepted("applied", faults.map(withoutValue), verdict)

const withoutValue = ({ code, field, reason, rule, values }: Fault): Fault => ({
  reason,
  code,
  field,
  values,
  ...(rule !== undefined && { rule }),
})
