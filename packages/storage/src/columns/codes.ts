import { ActivityKind, ActivitySource, objectKinds } from "@inlethq/core/log/ActivityEntry"
import { Outcome } from "@inlethq/core/log/Outcome"

/*
 * Numbers that stand for words in the database. A released number must never change, and a new word needs a new number.
 */

/**
 * The state of a person, object or other subject. A visitor is `anonymous` if it has an anonymous id, and `waiting` if
 * it has an id or an email. A deleted person, visitor, object or segment is `erased`. An erased segment
 * becomes `stillNamed` when its log entries are erased but documents of people or visitors still refer to it, and an object is so at
 * once, because its entries stay.
 * Housekeeping then removes those references and the row. The members of a version of a rule are `segmentMembers` while the version is
 * in force, and `nextMembers` before.
 */
export const stateCodes = {
  person: 1,
  anonymous: 2,
  attached: 3,
  erased: 4,
  waiting: 5,
  object: 6,
  delivery: 7,
  form: 8,
  segment: 9,
  stillNamed: 10,
  segmentMembers: 11,
  nextMembers: 12,
  ruleBuild: 13,
} as const

/** The state codes of people and visitors. */
export const holderCodes: ReadonlyArray<number> = [
  stateCodes.person,
  stateCodes.anonymous,
  stateCodes.waiting,
]

/** The state codes of the subjects that the management API lists, such as people and objects. */
export const listedCodes = [
  stateCodes.person,
  stateCodes.object,
  stateCodes.delivery,
  stateCodes.form,
  stateCodes.segment,
] as const
export type ListedCode = (typeof listedCodes)[number]

export const kindCodes: Readonly<Record<ActivityKind, number>> = {
  identify: 1,
  delete: 2,
  suppress: 3,
  unsuppress: 4,
  merge: 5,
  event: 6,
  page: 7,
  screen: 8,
  add_device: 9,
  delete_device: 10,
  add_relationships: 11,
  delete_relationships: 12,
  object_identify: 13,
  object_delete: 14,
  delivery_metric: 15,
  unsubscribe: 16,
  form_submission: 17,
  segment_add: 18,
  segment_remove: 19,
  anonymous_event: 20,
  segment_change: 21,
  unmerge: 22,
}

/**
 * The codes of the kinds in `objectKinds`, separated by commas for use in SQL. A log entry of these kinds keeps its
 * deduplication key when its object is deleted.
 */
export const objectKindCodes = objectKinds.map((kind) => kindCodes[kind]).join(", ")

export const sourceCodes: Readonly<Record<ActivitySource, number>> = {
  "track-v1": 1,
  "track-v2": 2,
  pipelines: 3,
  csv: 4,
  management: 5,
  system: 6,
}

export const outcomeCodes: Readonly<Record<Outcome, number>> = {
  applied: 1,
  created: 2,
  duplicate: 3,
  ignored: 4,
  dropped: 5,
  partial: 6,
  rejected: 7,
  pending: 8,
}

/** Returns a function that decodes codes to words, and throws if a code is unknown. */
const decoder = <Word extends string>(words: ReadonlyArray<Word>, codes: Readonly<Record<Word, number>>) => {
  const byCode = new Map(words.map((word) => [codes[word], word]))
  return (code: number): Word => {
    const word = byCode.get(code)
    if (word === undefined)
      throw new RangeError(`unknown code ${code}: expected one of ${[...byCode.keys()].join(", ")}`)
    return word
  }
}

export const kindOf = decoder(ActivityKind.literals, kindCodes)
export const sourceOf = decoder(ActivitySource.literals, sourceCodes)
export const outcomeOf = decoder(Outcome.literals, outcomeCodes)
