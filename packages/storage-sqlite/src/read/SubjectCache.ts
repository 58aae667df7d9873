import type { SubjectKey } from "@inlet/core/values/Identifier"
import type { Written } from "@inlet/core/WorkingSet"
import type { Row } from "@inlet/storage/columns"

/** Texts that lead somewhere, and rows of subjects, that are kept in memory at most: twice as many, in two generations. */
const generationMax = 8192

/** What is longer is read each time. */
const textLengthMax = 256
const documentLengthMax = 1024

/**
 * Where identifiers lead, and rows of subjects, as they stand in the database: those that were read lately. Whoever
 * sends one event after the other about the same people has each of them read once (decision 15).
 *
 * Whoever writes an identifier or a subject has it forgotten here, in the same turn of the thread.
 */
export class Recent {
  private readonly identifiers = new Generations<string, SubjectKey>(generationMax)
  private readonly rows = new Generations<SubjectKey, Row>(generationMax)

  /** Whom a text leads to; undefined where it is not known here. */
  keyOf(text: string): SubjectKey | undefined {
    return this.identifiers.get(text)
  }

  /** The row of a subject; undefined where it is not known here. */
  rowOf(key: SubjectKey): Row | undefined {
    return this.rows.get(key)
  }

  keepIdentifier(text: string, key: SubjectKey): void {
    if (text.length <= textLengthMax) this.identifiers.set(text, key)
  }

  keepRow(key: SubjectKey, row: Row, documentLength: number): void {
    if (documentLength <= documentLengthMax) this.rows.set(key, row)
  }

  /** Before a batch is written: had it been written after all when the commit fails, nothing here would say otherwise. */
  forget({ identifiers, subjects }: Pick<Written, "identifiers" | "subjects">): void {
    for (const text of identifiers) this.identifiers.delete(text)
    for (const key of subjects) this.rows.delete(key)
  }

  forgetAll(): void {
    this.identifiers.clear()
    this.rows.clear()
  }
}

/** The last `max` values that were asked for or set, and at most as many that were before them. */
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
