import { addressOfEntry } from "@inlethq/core/decision/erasure"
import type { Needs } from "@inlethq/core/fold/Needs"
import { freedLookups, mergesFreeing } from "@inlethq/core/person/freed"
import type { RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { Subject } from "@inlethq/core/state/Subject"
import {
  freedText,
  goneText,
  leadsToPosition,
  replacedText,
  type Sequence,
  type SubjectKey,
} from "@inlethq/core/values/Identifier"
import { loadedWith, type Claim, type ClaimedContent, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { kindOf } from "../columns/codes.ts"
import { dataOf } from "./entryRows.ts"
import { sequenceOf, subjectKey } from "../columns/ids.ts"
import { fromStored } from "../columns/storedText.ts"

/*
 * Builds a working set from rows. A store reads in four steps, each with one query per table: first identifiers and
 * deduplication keys, then the people, objects and other subjects that they resolve to, then the subjects to which
 * those refer, and last suppressions and erased addresses.
 */

/** A log entry that uses a deduplication key. */
export interface ClaimRow {
  readonly sequence: Sequence
  /**
   * The person or other subject that the entry is about. Deleting that person or subject frees the deduplication key.
   * The value is null if no deletion frees the key.
   */
  readonly subject: SubjectKey | null
  /** What the log entry says. */
  readonly entry: ClaimedContent
}

/** Decodes a log entry that uses a deduplication key. All columns are those of `activity`. */
export const claimFromColumns = (
  sequence: number,
  subject: number | null,
  kind: number | null,
  name: string | null,
  detail: string,
): ClaimRow => ({
  sequence: sequenceOf(sequence),
  subject: subject === null ? null : subjectKey(subject),
  entry: {
    kind: kind === null ? null : kindOf(kind),
    name: name === null ? null : fromStored(name),
    data: dataOf(detail),
  },
})

/**
 * Returns the keys of the people, objects and other subjects that a batch needs. `addSubjects` finds further subjects
 * to which these refer.
 */
export const subjectsNeeded = (
  needs: Needs,
  identifiers: ReadonlyMap<string, SubjectKey>,
  claims: ReadonlyMap<string, ClaimRow>,
  { build }: RuleIndex,
): ReadonlySet<SubjectKey> => {
  const keys = new Set(needs.subjects)
  for (const [text, key] of identifiers) if (!needs.looksBack || !leadsToPosition(text)) keys.add(key)
  if (build !== null) keys.add(build)
  for (const { subject } of claims.values()) if (subject !== null) keys.add(subject)
  return keys
}

/**
 * What a store reads of merges that deletions undo: the lookup texts with which it reads identifiers, and after it has read
 * subjects, the merges. Everything is empty for a batch without deletions.
 */
export class FreedNames {
  private readonly needs: Needs
  private readonly texts: ReadonlyArray<string>

  constructor(needs: Needs, digest: WorkingSet["digest"]) {
    this.needs = needs
    this.texts = needs.freed.size === 0 ? noTexts : freedLookups(needs, digest)
  }

  get identifiers(): ReadonlySet<string> {
    return this.texts.length === 0
      ? this.needs.identifiers
      : new Set([...this.needs.identifiers, ...this.texts])
  }

  /** Returns the positions of the merges to read. */
  merges(loaded: Pick<WorkingSet, "identifiers" | "subjects">): ReadonlySet<Sequence> {
    return this.texts.length === 0 ? noPositions : mergesFreeing(this.texts, loaded)
  }
}

/** The ranges of the lookup texts with which merges and deletions note who had an identifier, without their ends. */
export const formerRanges: ReadonlyArray<readonly [from: string, to: string]> = [
  [freedText(""), freedText("\u007F")],
  [goneText(""), goneText("\u007F")],
  [replacedText(""), replacedText("\u007F")],
]

const noTexts: ReadonlyArray<string> = []
const noPositions: ReadonlySet<Sequence> = new Set()

/** Returns those of the lookup texts that are not among others. */
export const textsBeside = (texts: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...texts].filter((text) => !others.has(text)))

/** Returns the keys that are not read yet. */
export const keysBeside = (
  keys: ReadonlySet<SubjectKey>,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): ReadonlySet<SubjectKey> => new Set([...keys].filter((key) => !subjects.has(key)))

/**
 * Adds newly read people, objects and other subjects to those that were read before. Returns the keys of the subjects
 * to read next.
 */
export const addSubjects = (
  subjects: Map<SubjectKey, Subject>,
  read: Iterable<Subject>,
  withHeld: boolean,
): ReadonlySet<SubjectKey> => {
  const next = new Set<SubjectKey>()
  for (const subject of read) {
    subjects.set(subject.key, subject)
    for (const key of loadedWith(subject, withHeld)) next.add(key)
  }
  for (const key of next) if (subjects.has(key)) next.delete(key)
  return next
}

/** Matches lookup texts of identifiers that can be suppressed. */
const suppressible = /^(?:id|email):/

/**
 * Returns the lookup texts of ids and emails that no person or visitor has. Only such identifiers can be suppressed.
 */
export const suppressibleTexts = (
  needs: Needs,
  identifiers: ReadonlyMap<string, SubjectKey>,
): ReadonlyArray<string> =>
  Array.from(needs.identifiers).filter((text) => !identifiers.has(text) && suppressible.test(text))

/**
 * Returns the keys to search for among the suppression groups: all subject keys in `needs`, except keys of existing
 * people. Suppressing a person deletes the person, so an existing person is not suppressed.
 */
export const suppressedGroupsNeeded = (
  needs: Needs,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): ReadonlyArray<SubjectKey> =>
  Array.from(needs.subjects).filter((key) => subjects.get(key)?._tag !== "Person")

/**
 * For each deduplication key in use, returns the log entry that uses the key. `address` is the digest of the
 * recipient's address if the entry is a delivery report, or else null.
 */
export const claimsWithAddresses = (
  claims: ReadonlyMap<string, ClaimRow>,
  subjects: ReadonlyMap<SubjectKey, Subject>,
  digest: WorkingSet["digest"],
): Map<string, Claim> => {
  const claimed = new Map<string, Claim>()
  for (const [text, { entry, sequence, subject }] of claims) {
    const address = addressOfEntry(digest, entry, subject === null ? null : subjects.get(subject))
    claimed.set(text, { sequence, subject, address, content: entry })
  }
  return claimed
}
