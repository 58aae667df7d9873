import type { Change } from "../Change.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/** Collects the changes, visible field changes and faults of a command while it is decided. */
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

  /** A key that nothing has, nor anything else that this command makes. */
  newKey(): SubjectKey {
    const key = this.nextKey
    this.nextKey = nextAfter(key)
    return key
  }

  /** What this command made under a name, so that another part of it finds it. */
  createdKey(name: string): SubjectKey | undefined {
    return this.createdKeys?.get(name)
  }

  noteCreated(name: string, key: SubjectKey): void {
    this.createdKeys ??= new Map()
    this.createdKeys.set(name, key)
  }
}
