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
} from "./values/Identifier.ts"

/** The keys of everything that must be loaded before a batch can be decided. */
export interface Needs {
  /**
   * Lookup texts (unique strings such as `1:email:ada@example.com`) of identifiers, device tokens, objects, deliveries
   * and forms.
   */
  readonly identifiers: ReadonlySet<string>
  readonly subjects: ReadonlySet<SubjectKey>
  /** Deduplication keys, in the form of `deduplicationText`. */
  readonly deduplication: ReadonlySet<string>
  readonly workspaces: ReadonlySet<WorkspaceId>
}

/**
 * Collects the keys that commands need loaded. Every name that is added belongs to the workspace last passed to
 * `enter`.
 */
export class NeedsCollector implements Needs {
  readonly identifiers = new Set<string>()
  readonly subjects = new Set<SubjectKey>()
  readonly deduplication = new Set<string>()
  readonly workspaces = new Set<WorkspaceId>()
  private workspace: WorkspaceId

  constructor(workspace: WorkspaceId) {
    this.workspace = workspace
  }

  enter(workspace: WorkspaceId): void {
    this.workspace = workspace
    this.workspaces.add(workspace)
  }

  identifier(kind: IdentifierKind, value: string | null): void {
    if (value !== null) this.identifiers.add(identifierText(this.workspace, kind, value))
  }

  subject(key: SubjectKey | null): void {
    if (key !== null) this.subjects.add(key)
  }

  reference(reference: Reference | null): void {
    switch (reference?._tag) {
      case undefined:
        return
      case "BySvcId":
        return this.subject(reference.key)
      case "ByIdentifier":
        return this.identifier(reference.kind, reference.value)
      case "ByBareText":
        this.identifier("id", reference.value)
        return this.reference(reference.otherwise)
    }
    reference satisfies null
  }

  device(device: { readonly token: string } | null): void {
    if (device !== null) this.identifiers.add(deviceText(this.workspace, device.token))
  }

  object(object: ObjectReference): void {
    switch (object._tag) {
      case "ByTypeAndId":
        this.identifiers.add(objectText(this.workspace, object.typeId, object.objectId))
        return
      case "BySvcObjectId":
        return this.subject(object.key)
    }
    object satisfies never
  }

  delivery(deliveryId: string): void {
    this.identifiers.add(deliveryText(this.workspace, deliveryId))
  }

  form(formId: string): void {
    this.identifiers.add(formText(this.workspace, formId))
  }
}
