import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Reason } from "@inlethq/core/log/Reason"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey } from "@inlethq/core/values/Identifier"

/*
 * The columns `rule_code`, `reason_code` and `anonymous_code` of `activity` hold hashes, by which the log is searched for a rule,
 * the code of a reason and an anonymous id. Different texts can have the same hash, so readers also compare the document.
 */

/** The codes of rules are smaller than this number. */
export const ruleCodes = 4096

/**
 * The code of the rule of an entry that every search must look at: a pending operation with a reason changes its rule once
 * its person is known. It also stands for the missing codes of rows that an earlier version wrote.
 */
export const anyRuleCode = 0

/** The codes of reasons and of anonymous ids are smaller than this number, and at least 1. */
export const textCodes = 256

/** Stands for reasons of several codes. Every search for a reason must look at such an entry. */
const severalReasons = 255

/** The values of the three columns. */
export interface EntryCodes {
  readonly rule: number
  /** Null if the entry has no reason. */
  readonly reason: number | null
  /** Null if the entry has no anonymous id, or if its subject is found by this anonymous id. */
  readonly anonymous: number | null
}

/** The largest number of rules of which the code is cached. There are fewer rules. */
const cachedRulesMax = 1000

const cachedRules = new Map<string, number>()

/** Returns the code of a rule: a number from 1 to `ruleCodes` - 1. */
export const ruleCode = (rule: string): number => {
  const cached = cachedRules.get(rule)
  if (cached !== undefined) return cached
  const code = 1 + (textHash(rule) % (ruleCodes - 1))
  if (cachedRules.size < cachedRulesMax) cachedRules.set(rule, code)
  return code
}

/** Returns the column for the code of a reason: a number from 1 to `severalReasons` - 1. */
const reasonCode = (code: string): number => 1 + (textHash(code) % (severalReasons - 1))

/** Returns the columns that an entry with a reason of one of these codes can have. */
export const reasonCodes = (codes: ReadonlyArray<string>): ReadonlyArray<number> => [
  severalReasons,
  ...codes.map(reasonCode),
]

const codeOfReasons = (reasons: ReadonlyArray<Reason>): number | null => {
  const [first] = reasons
  if (first === undefined) return null
  return reasons.every(({ code }) => code === first.code) ? reasonCode(first.code) : severalReasons
}

/** Returns the code of an anonymous id: a number from 1 to `textCodes` - 1. */
export const textCode = (text: string): number => 1 + (textHash(text) % (textCodes - 1))

/** Returns the FNV-1a hash of a text, which is at least 0. */
export const textHash = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Returns the codes of an entry. `subjects` holds the subjects that its batch loaded. */
export const entryCodes = (
  { anonymousId, outcome, reasons, rule, subject }: ActivityEntry,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): EntryCodes => ({
  rule: outcome === "pending" && reasons.length > 0 ? anyRuleCode : ruleCode(rule ?? ""),
  reason: codeOfReasons(reasons),
  anonymous:
    anonymousId === null || isFoundBy(anonymousId, subject === null ? undefined : subjects.get(subject))
      ? null
      : textCode(anonymousId),
})

/** Returns whether the lookup text of an anonymous id leads to a subject, or to the person whom it is merged into. */
const isFoundBy = (anonymousId: string, subject: Subject | undefined): boolean => {
  switch (subject?._tag) {
    case "Person":
      return subject.anonymousIds.includes(anonymousId)
    case "Visitor":
      return subject.knownAs.kind === "anonymous_id" && subject.knownAs.value === anonymousId
    case "Attached":
    case "Erased":
    case "DataObject":
    case "Delivery":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
    case undefined:
      return false
  }
}
