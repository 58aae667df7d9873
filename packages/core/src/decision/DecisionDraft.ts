import type { Change } from "../Change.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Collects the changes, the field changes for the log entry, and the faults of a command while the command is decided.
 */
export class DecisionDraft {
  readonly changes: Array<Change> = []
  readonly fields: Array<FieldChange> = []
  readonly faults: Array<Fault>
  private nextKey: SubjectKey
  private createdKeys: Map<string, SubjectKey> | undefined

  constructor(state: WorkingSet, faults: ReadonlyArray<Fault>) {
    this.faults = faults.length === 0 ? [] : [...faults]
    this.nextKey = state.nextKey
  }

  /** Returns an unused key for a new person, object or other subject. Each call returns a different key. */
  newKey(): SubjectKey {
    const key = this.nextKey
    this.nextKey = nextAfter(key)
    return key
  }

  /**
   * Returns the key of the person, object or other subject that this command created with the lookup text `name`.
   * Returns undefined if this command created no subject with this text.
   */
  createdKey(name: string): SubjectKey | undefined {
    return this.createdKeys?.get(name)
  }

  noteCreated(name: string, key: SubjectKey): void {
    this.createdKeys ??= new Map()
    this.createdKeys.set(name, key)
  }
}
