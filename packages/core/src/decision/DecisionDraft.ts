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
  private names: Map<string, SubjectKey> | undefined

  constructor(seen: WorkingSet, faults: ReadonlyArray<Fault>) {
    this.faults = faults.length === 0 ? [] : [...faults]
    this.nextKey = seen.nextKey
  }

  /** A key that nothing has, nor anything else that this command makes. */
  newKey(): SubjectKey {
    const key = this.nextKey
    this.nextKey = nextAfter(key)
    return key
  }

  /** What this command made under a name, so that another part of it finds it. */
  made(name: string): SubjectKey | undefined {
    return this.names?.get(name)
  }

  make(name: string, key: SubjectKey): void {
    this.names ??= new Map()
    this.names.set(name, key)
  }
}
