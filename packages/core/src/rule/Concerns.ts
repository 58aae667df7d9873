import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** What commands may change that rules are about. Rules that are about nothing of it need not be followed. */
export interface Concerns {
  /** The events that are recorded: the kind and the name of each, with a space in between. */
  readonly events: ReadonlySet<string>
  /** Whom the events name: lookup texts of identifiers, and keys. */
  readonly eventTargets: ReadonlyArray<string | SubjectKey>
  /** The attributes that identify calls assign which change nothing else but identifiers. */
  readonly identifies: ReadonlyArray<ReadonlyArray<{ readonly name: string }>>
  /** Whether one of them may give an identifier to somebody, so that an event may name them by it. */
  readonly renames: boolean
  /** Whether the commands may change anything else, such as a device. */
  readonly others: boolean
  /** Whether the commands may change objects. If a rule is about objects, it concerns the people related to them. */
  readonly objects: boolean
  /** Whether the commands may delete objects. Their entries then name the people related to them. */
  readonly deletesObjects: boolean
  /** Whether the commands may give a segment a rule. */
  readonly rules: boolean
  /** The latest receipt time of the commands. */
  readonly receivedAt: EpochMillis
}
