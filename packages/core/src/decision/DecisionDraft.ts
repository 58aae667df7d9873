import type { Change } from "../fold/Change.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import { noteTexts } from "../log/operationTexts.ts"
import type { Reason } from "../log/Reason.ts"
import { utf8Bytes } from "../values/Json.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/** The most relationships, segments and values of devices that an entry lists of what a person got from somebody else. */
const gainedFieldsMax = 500

/** The most bytes of JSON that an entry lists of what a person got from somebody else. */
const gainedBytesMax = 64 * 1024

/**
 * Collects the changes, the field changes for the log entry, and the faults of a command while the command is decided.
 */
export class DecisionDraft {
  readonly changes: Array<Change> = []
  readonly fields: Array<FieldChange> = []
  readonly faults: Array<Fault>
  /** The values that a person got from somebody else and that the entry does not list, because it has no room for more. */
  unlisted = 0
  private listed = 0
  private listedBytes = 0
  private nextKey: SubjectKey
  private createdKeys: Map<string, SubjectKey> | undefined

  constructor(state: WorkingSet, faults: ReadonlyArray<Fault>) {
    this.faults = faults.length === 0 ? [] : [...faults]
    this.nextKey = state.nextKey
  }

  /** Lists something that a person got from somebody else, or counts it if the entry has no room for more. */
  gain(field: FieldChange): void {
    const bytes = utf8Bytes(JSON.stringify(field))
    if (this.listed >= gainedFieldsMax || this.listedBytes + bytes > gainedBytesMax) {
      this.unlisted++
      return
    }
    this.listed++
    this.listedBytes += bytes
    this.fields.push(field)
  }

  /** Returns a note that the entry does not list everything, or null if it does. */
  get unlistedNote(): Reason | null {
    return this.unlisted === 0 ? null : noteTexts.gainsUnlisted({ count: this.unlisted })
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
