import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import {
  descriptionOf,
  joinContext,
  ownBeside,
  splitContext,
  type Description,
} from "@inlethq/core/log/describingContext"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
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

/** The largest number of descriptions and of their numbers that a store remembers. If there are more, all are forgotten. */
const rememberedMax = 4 * contextsMax

/** A description with its number, and its JSON as in `contexts`. */
interface Numbered extends Description {
  readonly text: string
  readonly number: number
}

/** The numbers of a workspace's descriptions, as far as they are known. */
interface Remembered {
  readonly numbers: Map<string, number>
  /** The last description of each likeness. */
  readonly recent: Map<string, Numbered>
  /** The next position of the log when they were last used. */
  nextSequence: Sequence
}

/** Contexts of equal likenesses mostly have the same description. */
const likenessOf = ({ app, device, library, locale, userAgent }: JsonObject): string =>
  `${shown(userAgent)} ${shown(locale)} ${shownIn(app, "version")} ${shownIn(device, "model")} ${shownIn(library, "version")}`

const shownMax = 256

const shown = (value: Json | undefined): string =>
  typeof value === "string" && value.length <= shownMax ? value : ""

const shownIn = (object: Json | undefined, key: string): string =>
  isJsonObject(object) ? shown(object[key]) : ""

/** Remembers the numbers of descriptions that are committed. */
export class KnownContexts {
  private readonly workspaces = new Map<WorkspaceId, Remembered>()
  private size = 0

  /** Returns what is known. If the log is shorter than before, an older copy of the database is in use, and nothing is known. */
  of({ nextSequence, workspace }: Pick<WorkingSet, "nextSequence" | "workspace">): Remembered {
    const known = this.workspaces.get(workspace)
    if (known !== undefined && nextSequence >= known.nextSequence) {
      known.nextSequence = nextSequence
      return known
    }
    const remembered: Remembered = { numbers: new Map(), recent: new Map(), nextSequence }
    this.workspaces.set(workspace, remembered)
    return remembered
  }

  remember(
    state: Pick<WorkingSet, "nextSequence" | "workspace">,
    found: Iterable<readonly [text: string, number: number]>,
  ): void {
    for (const [text, number] of found) {
      this.makeRoom()
      this.of(state).numbers.set(text, number)
    }
  }

  /** Remembers a description as the last one of its likeness. */
  rememberRecent({ recent }: Remembered, likeness: string, numbered: Numbered): void {
    if (!recent.has(likeness)) this.makeRoom()
    recent.set(likeness, numbered)
  }

  private makeRoom(): void {
    if (this.size >= rememberedMax) this.clear()
    this.size++
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
  /** The number of the description if it was known. */
  readonly number: number | undefined
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
  /** The numbers of descriptions that were not known. */
  private readonly numbers = new Map<string, number>();

  /** Splits the contexts of a batch. */
  static *of(
    entries: Iterable<ActivityEntry>,
    state: Pick<WorkingSet, "digest" | "nextSequence" | "workspace">,
    known: KnownContexts,
  ): Slices<BatchContexts> {
    const contexts = new BatchContexts()
    const remembered = known.of(state)
    const slice = new SliceCounter(contextsPerSlice)
    for (const { provenance, sequence } of entries) {
      if (provenance?.context === undefined) continue
      if (slice.isFull()) yield
      const { context } = provenance
      const likeness = likenessOf(context)
      const recent = remembered.recent.get(likeness)
      const beside = recent === undefined ? undefined : ownBeside(context, recent)
      if (recent !== undefined && beside !== undefined) {
        contexts.described.set(sequence, { text: recent.text, own: beside, number: recent.number })
        continue
      }
      const { described, own } = splitContext(context)
      const text = JSON.stringify(described)
      if (text === nothing) continue
      const number = remembered.numbers.get(text)
      contexts.described.set(sequence, { text, own, number })
      if (number === undefined) contexts.unknown.set(state.digest(`context:${text}`), text)
      else known.rememberRecent(remembered, likeness, { ...descriptionOf(described), text, number })
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
    if (described === undefined) return undefined
    const number = described.number ?? this.numbers.get(described.text)
    return number === undefined ? undefined : { number, own: described.own }
  }
}

const nothing = "{}"

/** Returns the provenance that a row of `activity` has beside the number of the description. */
export const ownProvenance = (provenance: Provenance, { own }: StoredContext): Provenance | undefined => {
  if (hasContextOnly(provenance)) return isEmpty(own) ? undefined : { context: own }
  const { context: _1, ...rest } = provenance
  return isEmpty(own) ? rest : { ...rest, context: own }
}

/** Most calls tell nothing else, and copying the rest would take longer. */
const hasContextOnly = (provenance: Provenance): boolean => {
  for (const key in provenance) if (key !== "context") return false
  return true
}

const isEmpty = (object: JsonObject): boolean => {
  for (const _ in object) return false
  return true
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
