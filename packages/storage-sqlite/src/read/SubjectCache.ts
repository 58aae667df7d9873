import type { LeafStates } from "@inlethq/core/state/LeafState"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { Row } from "@inlethq/storage/columns/columns"

/** The largest number of values in one generation of a `Generations` cache. Each cache has two generations. */
const generationMax = 8192

/**
 * Loads of at most this many keys add to the cache. Larger loads (imports) only read the cache. Large loads rarely name
 * a person twice, so adding their rows would evict more useful rows.
 */
export const cachingLoadMax = 400

/** Texts and documents with more characters than this are not cached. */
const textLengthMax = 256
const documentLengthMax = 1024

/** What is stored about more leaves of one person, or about leaves with more occurrences, is not cached. */
const cachedLeavesMax = 4
const cachedOccurrencesMax = 16

/**
 * Caches recently read identifiers, recently read rows of the table `subjects`, and what rules remember about these people,
 * as they are in the database. Most single events repeat lookups done moments earlier (decision 15).
 *
 * Code that writes an identifier or a row must first evict it, in the same synchronous step.
 */
export class SubjectCache {
  private readonly identifiers = new Generations<string, SubjectKey>(generationMax)
  private readonly rows = new Generations<SubjectKey, Row>(generationMax)
  private readonly leafStates = new Generations<SubjectKey, LeafStates>(generationMax)
  /** The people whose cached states of leaves the batch that is being written replaces, and the new states. */
  private replacing: Array<readonly [WorkspaceId, SubjectKey, LeafStates]> = []

  /**
   * Returns the key of the person, object or other subject that a lookup text resolves to. Returns undefined if the key
   * is not cached.
   */
  keyOf(workspace: WorkspaceId, text: string): SubjectKey | undefined {
    return this.identifiers.get(workspace, text)
  }

  /** Returns the row of a person, object or other subject, or undefined if it is not cached. */
  rowOf(workspace: WorkspaceId, key: SubjectKey): Row | undefined {
    return this.rows.get(workspace, key)
  }

  addIdentifier(workspace: WorkspaceId, text: string, key: SubjectKey): void {
    if (text.length <= textLengthMax) this.identifiers.set(workspace, text, key)
  }

  addRow(workspace: WorkspaceId, key: SubjectKey, row: Row, documentLength: number): void {
    if (documentLength <= documentLengthMax) this.rows.set(workspace, key, row)
  }

  /** Returns what is stored about the leaves of a person or visitor, or undefined if it is not cached. */
  leafStatesOf(workspace: WorkspaceId, key: SubjectKey): LeafStates | undefined {
    return this.leafStates.get(workspace, key)
  }

  addLeafStates(workspace: WorkspaceId, key: SubjectKey, states: LeafStates): void {
    if (isSmall(states)) this.leafStates.set(workspace, key, states)
    else this.leafStates.delete(workspace, key)
  }

  /** Must run before a batch reads. If the batch before it was not committed, nobody knows which of its states were written. */
  begin(): void {
    if (this.replacing.length === 0) return
    this.replacing = []
    this.leafStates.clear()
  }

  /**
   * Evicts the identifiers and rows that a batch is about to write, and notes the states of leaves. Must run before the commit,
   * because a commit that reports a failure may still have been written.
   */
  evict({ leafStates, workspace, written }: Pick<WorkingSet, "leafStates" | "workspace" | "written">): void {
    for (const text of written.identifiers) this.identifiers.delete(workspace, text)
    for (const key of written.subjects) this.rows.delete(workspace, key)
    for (const key of written.leafStates.keys()) {
      if (!this.leafStates.has(workspace, key)) continue
      this.replacing.push([workspace, key, leafStates.get(key) ?? noStates])
    }
  }

  /** Replaces the cached states of leaves by those that the batch has written. Must run when it is committed. */
  committed(): void {
    for (const [workspace, key, states] of this.replacing) this.addLeafStates(workspace, key, states)
    this.replacing = []
  }

  clear(): void {
    this.identifiers.clear()
    this.rows.clear()
    this.leafStates.clear()
    this.replacing = []
  }
}

const noStates: LeafStates = new Map()

const isSmall = (states: LeafStates): boolean => {
  if (states.size > cachedLeavesMax) return false
  let occurrences = 0
  for (const { ring } of states.values()) occurrences += ring.length
  return occurrences <= cachedOccurrencesMax
}

/**
 * A map by workspace and key that holds the `max` most recently used values, and never more than twice as many. The values are in
 * two generations. When the younger generation is full, the older generation is dropped.
 *
 * Each workspace has a map of its own, because a key that combines both would be made and hashed for every lookup.
 */
export class Generations<Key, Value> {
  private readonly max: number
  private younger = new Map<WorkspaceId, Map<Key, Value>>()
  private older = new Map<WorkspaceId, Map<Key, Value>>()
  /** The number of values in the younger generation. */
  private young = 0

  constructor(max: number) {
    this.max = max
  }

  get(workspace: WorkspaceId, key: Key): Value | undefined {
    const young = this.younger.get(workspace)?.get(key)
    if (young !== undefined) return young
    const old = this.older.get(workspace)?.get(key)
    if (old !== undefined) this.set(workspace, key, old)
    return old
  }

  set(workspace: WorkspaceId, key: Key, value: Value): void {
    if (this.young >= this.max && this.younger.get(workspace)?.has(key) !== true) {
      this.older = this.younger
      this.younger = new Map()
      this.young = 0
    }
    let values = this.younger.get(workspace)
    if (values === undefined) this.younger.set(workspace, (values = new Map<Key, Value>()))
    const before = values.size
    values.set(key, value)
    this.young += values.size - before
  }

  has(workspace: WorkspaceId, key: Key): boolean {
    return this.younger.get(workspace)?.has(key) === true || this.older.get(workspace)?.has(key) === true
  }

  delete(workspace: WorkspaceId, key: Key): void {
    if (this.younger.get(workspace)?.delete(key) === true) this.young--
    this.older.get(workspace)?.delete(key)
  }

  clear(): void {
    this.younger.clear()
    this.older.clear()
    this.young = 0
  }
}
