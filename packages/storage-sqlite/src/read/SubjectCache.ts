import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Written } from "@inlet/core/WorkingSet"
import type { Row } from "@inlet/storage/columns"
import { rowId, type RowId } from "../engine/rowIds.ts"

/** The largest number of values in one generation of a `Generations` cache. Each cache has two generations. */
const generationMax = 8192

/** Texts and documents with more characters than this are not cached. */
const textLengthMax = 256
const documentLengthMax = 1024

/**
 * Caches recently read identifiers, and recently read rows of the table `subjects`, as they are in the database. Most
 * single events repeat lookups done moments earlier (decision 15).
 *
 * Code that writes an identifier or a row must first evict it, in the same synchronous step.
 */
export class SubjectCache {
  private readonly identifiers = new Generations<string, SubjectKey>(generationMax)
  private readonly rows = new Generations<RowId, Row>(generationMax)

  /**
   * Returns the key of the person, object or other subject that a lookup text resolves to. Returns undefined if the key
   * is not cached.
   */
  keyOf(workspace: WorkspaceId, text: string): SubjectKey | undefined {
    return this.identifiers.get(textIn(workspace, text))
  }

  /** Returns the row of a person, object or other subject, or undefined if it is not cached. */
  rowOf(id: RowId): Row | undefined {
    return this.rows.get(id)
  }

  addIdentifier(workspace: WorkspaceId, text: string, key: SubjectKey): void {
    if (text.length <= textLengthMax) this.identifiers.set(textIn(workspace, text), key)
  }

  addRow(id: RowId, row: Row, documentLength: number): void {
    if (documentLength <= documentLengthMax) this.rows.set(id, row)
  }

  /**
   * Evicts the identifiers and rows that a batch is about to write. Must run before the commit, because a commit that
   * reports a failure may still have been written.
   */
  evict(workspace: WorkspaceId, { identifiers, subjects }: Pick<Written, "identifiers" | "subjects">): void {
    for (const text of identifiers) this.identifiers.delete(textIn(workspace, text))
    for (const key of subjects) this.rows.delete(rowId(workspace, key))
  }

  clear(): void {
    this.identifiers.clear()
    this.rows.clear()
  }
}

const textIn = (workspace: WorkspaceId, text: string): string => `${workspace}:${text}`

/**
 * A map that holds the `max` most recently used values, and never more than twice as many. The values are in two
 * generations. When the younger generation is full, the older generation is dropped.
 */
export class Generations<Key, Value> {
  private readonly max: number
  private younger = new Map<Key, Value>()
  private older = new Map<Key, Value>()

  constructor(max: number) {
    this.max = max
  }

  get(key: Key): Value | undefined {
    const young = this.younger.get(key)
    if (young !== undefined) return young
    const old = this.older.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    if (this.younger.size >= this.max && !this.younger.has(key)) {
      this.older = this.younger
      this.younger = new Map()
    }
    this.younger.set(key, value)
  }

  delete(key: Key): void {
    this.younger.delete(key)
    this.older.delete(key)
  }

  clear(): void {
    this.younger.clear()
    this.older.clear()
  }
}
