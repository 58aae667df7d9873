import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { joinContext, splitContext } from "@inlethq/core/log/describingContext"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"

/*
 * Rows of `contexts`, which numbers the parts of contexts that describe clients. Few of them occur in most calls, so the entry of
 * a call has the number, and only what is the person's own. Rows are never changed, and are removed with their workspace only.
 */

/** The largest number of descriptions of a workspace. Calls with further ones keep their whole context in their entry. */
export const contextsMax = 4096

/** A row of `contexts`, with the names of its columns. */
export interface ContextRow {
  readonly number: number
  readonly digest: string
  readonly json: string
}

/** The largest number of descriptions whose numbers a store remembers. If there are more, all are forgotten. */
const rememberedMax = 4 * contextsMax

/** The numbers of a workspace's descriptions, as far as they are known. */
interface Remembered {
  readonly numbers: Map<string, number>
  /** The next position of the log when they were last used. */
  nextSequence: Sequence
}

/** Remembers the numbers of descriptions that are committed. */
export class KnownContexts {
  private readonly workspaces = new Map<WorkspaceId, Remembered>()
  private size = 0

  /** Returns the known numbers. If the log is shorter than before, an older copy of the database is in use, and none is known. */
  numbers({ nextSequence, workspace }: Pick<WorkingSet, "nextSequence" | "workspace">): Map<string, number> {
    const known = this.workspaces.get(workspace)
    if (known !== undefined && nextSequence >= known.nextSequence) {
      known.nextSequence = nextSequence
      return known.numbers
    }
    const numbers = new Map<string, number>()
    this.workspaces.set(workspace, { numbers, nextSequence })
    return numbers
  }

  remember(numbers: Map<string, number>, found: Iterable<readonly [text: string, number: number]>): void {
    for (const [text, number] of found) {
      if (this.size >= rememberedMax) this.clear()
      this.size++
      numbers.set(text, number)
    }
  }

  clear(): void {
    this.workspaces.clear()
    this.size = 0
  }
}

/** How a context is stored: the number of its description, and what is the person's own. */
export interface StoredContext {
  readonly number: number
  readonly own: JsonObject
}

interface Described {
  readonly text: string
  readonly own: JsonObject
}

/** The largest number of contexts that are split without a pause. Splitting them takes about a millisecond. */
const contextsPerSlice = 500

/** The contexts of the entries of a batch in two parts each, and the numbers of their descriptions. */
export class BatchContexts {
  /** The rows that the batch adds. */
  readonly added: Array<ContextRow> = []
  /** The descriptions whose numbers are not known, by their digests. */
  readonly unknown = new Map<string, string>()
  private readonly described = new Map<Sequence, Described>()
  private readonly numbers = new Map<string, number>();

  /** Splits the contexts of a batch. */
  static *of(
    entries: Iterable<ActivityEntry>,
    { digest }: Pick<WorkingSet, "digest">,
    known: ReadonlyMap<string, number>,
  ): Slices<BatchContexts> {
    const contexts = new BatchContexts()
    const slice = new SliceCounter(contextsPerSlice)
    for (const { provenance, sequence } of entries) {
      if (provenance?.context === undefined) continue
      if (slice.isFull()) yield
      const { described, own } = splitContext(provenance.context)
      const text = JSON.stringify(described)
      if (text === nothing) continue
      contexts.described.set(sequence, { text, own })
      const number = known.get(text)
      if (number !== undefined) contexts.numbers.set(text, number)
      else contexts.unknown.set(digest(`context:${text}`), text)
    }
    return contexts
  }

  /**
   * Gives numbers to the unknown descriptions: their own to those that were found by their digests, and the next ones to others
   * while there are fewer than `contextsMax`. Returns the texts of those that were found.
   */
  number(
    found: Iterable<Pick<ContextRow, "digest" | "number">>,
    last: number,
  ): ReadonlyArray<readonly [text: string, number: number]> {
    const known: Array<readonly [string, number]> = []
    for (const { digest, number } of found) {
      const text = this.unknown.get(digest)
      if (text === undefined) continue
      known.push([text, number])
      this.numbers.set(text, number)
    }
    let next = last + 1
    for (const [digest, json] of this.unknown) {
      if (this.numbers.has(json)) continue
      if (next > contextsMax) break
      this.added.push({ number: next, digest, json })
      this.numbers.set(json, next++)
    }
    return known
  }

  /** Returns how the context of an entry is stored, or undefined if the entry has all of it. */
  of(sequence: Sequence): StoredContext | undefined {
    const described = this.described.get(sequence)
    const number = described === undefined ? undefined : this.numbers.get(described.text)
    return described === undefined || number === undefined ? undefined : { number, own: described.own }
  }
}

const nothing = "{}"

/** Returns the provenance that a row of `activity` has beside the number of the description. */
export const ownProvenance = (
  { context: _1, ...rest }: Provenance,
  { own }: StoredContext,
): Provenance | undefined => {
  const provenance = Object.keys(own).length === 0 ? rest : { ...rest, context: own }
  return Object.keys(provenance).length === 0 ? undefined : provenance
}

/** Joins what a row of `activity` says with the column `json` of its description. */
export const wholeProvenance = (stored: Provenance | undefined, json: string): Provenance => ({
  ...stored,
  context: joinContext({ described: describedIn(json), own: stored?.context ?? {} }),
})

/** The largest number of descriptions that are kept decoded. If there are more, all are forgotten. */
const decodedMax = 512

const decoded = new Map<string, JsonObject>()

const describedIn = (json: string): JsonObject => {
  const known = decoded.get(json)
  if (known !== undefined) return known
  if (decoded.size >= decodedMax) decoded.clear()
  const described: JsonObject = JSON.parse(json)
  decoded.set(json, described)
  return described
}
