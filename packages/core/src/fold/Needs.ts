import {
  deliveryText,
  deviceText,
  formText,
  identifierText,
  objectText,
  type IdentifierKind,
  type ObjectReference,
  type Reference,
  type SubjectKey,
  type WorkspaceId,
} from "../values/Identifier.ts"
import type { Concerns } from "../rule/Concerns.ts"

/** The keys of all rows that the store must load before a batch can be decided. A batch belongs to one workspace. */
export interface Needs {
  readonly workspace: WorkspaceId
  /**
   * Lookup texts (unique strings such as `email:ada@example.com`) of identifiers, device tokens, objects, deliveries
   * and forms.
   */
  readonly identifiers: ReadonlySet<string>
  readonly subjects: ReadonlySet<SubjectKey>
  /** The deduplication keys of the commands. */
  readonly deduplication: ReadonlySet<string>
  /**
   * Lookup texts of ids and emails that a deletion names. If nobody has one since a merge freed it, the store also loads whose it
   * was, the entry of that merge, and what that entry says the person had (see `person/freed.ts`).
   */
  readonly freed: ReadonlySet<string>
  /**
   * Whether entries of the commands say who had an id or email before, which no person has now: whoever creates or merges
   * people. The store then loads whom `formerLookups` lead to.
   */
  readonly looksBack: boolean
  /**
   * Whether entries of the commands name what a person had who is merged. The store then also loads the objects and segments of
   * people (see `withHeldOf`).
   */
  readonly merges: boolean
  /** What the commands may change that rules are about (see `concerns`). */
  readonly concerns: Concerns
}

/** Collects the keys of the rows that the commands of one workspace need. */
export class NeedsCollector implements Needs {
  readonly workspace: WorkspaceId
  readonly identifiers = new Set<string>()
  readonly subjects = new Set<SubjectKey>()
  readonly deduplication = new Set<string>()
  readonly freed = new Set<string>()
  looksBack = false
  merges = false
  readonly concerns = {
    events: new Set<string>(),
    eventTargets: new Array<string | SubjectKey>(),
    identifies: new Array<ReadonlyArray<{ readonly name: string }>>(),
    renames: false,
    others: false,
    objects: false,
    deletesObjects: false,
    rules: false,
    receivedAt: 0,
  }

  constructor(workspace: WorkspaceId) {
    this.workspace = workspace
  }

  /** Adds the lookup text of an identifier, to `targets` too. */
  identifier(kind: IdentifierKind, value: string | null, targets?: Array<string | SubjectKey>): void {
    if (value === null) return
    const text = identifierText(kind, value)
    this.identifiers.add(text)
    targets?.push(text)
  }

  subject(key: SubjectKey | null): void {
    if (key !== null) this.subjects.add(key)
  }

  /** Adds what a reference names, to `targets` too. */
  reference(reference: Reference | null, targets?: Array<string | SubjectKey>): void {
    switch (reference?._tag) {
      case undefined:
        return
      case "BySvcId":
        if (reference.key !== null) targets?.push(reference.key)
        return this.subject(reference.key)
      case "ByIdentifier":
        return this.identifier(reference.kind, reference.value, targets)
      case "ByBareText":
        this.identifier("id", reference.value, targets)
        return this.reference(reference.otherwise, targets)
    }
    reference satisfies null
  }

  device(device: { readonly token: string } | null): void {
    if (device !== null) this.identifiers.add(deviceText(device.token))
  }

  object(object: ObjectReference): void {
    switch (object._tag) {
      case "ByTypeAndId":
        this.identifiers.add(objectText(object.typeId, object.objectId))
        return
      case "BySvcObjectId":
        return this.subject(object.key)
    }
    object satisfies never
  }

  delivery(deliveryId: string): void {
    this.identifiers.add(deliveryText(deliveryId))
  }

  form(formId: string): void {
    this.identifiers.add(formText(formId))
  }
}
