import type { Command } from "./Command.ts"
import {
  deduplicationText,
  deliveryText,
  deviceText,
  emailIn,
  formText,
  identifierText,
  objectText,
  type IdentifierKind,
  type ObjectReference,
  type Reference,
  type SubjectKey,
  type WorkspaceId,
} from "./Identifier.ts"

/** What a batch has to see: everything its commands name. */
export interface Needs {
  /** Texts of identifiers, device tokens, objects, deliveries and forms. */
  readonly identifiers: ReadonlySet<string>
  readonly subjects: ReadonlySet<SubjectKey>
  readonly deduplication: ReadonlySet<string>
  readonly workspaces: ReadonlySet<WorkspaceId>
}

/** Everything that the commands name. */
export const needsOf = (commands: ReadonlyArray<Command>): Needs => {
  const needs = new Collector()
  for (const command of commands) {
    collect(needs, command)
    needs.workspaces.add(command.workspace.id)
    if (command.deduplicationKey === null) continue
    needs.deduplication.add(deduplicationText(command.workspace.id, command.deduplicationKey))
  }
  return needs
}

/** Needs while they are being collected. */
class Collector implements Needs {
  readonly identifiers = new Set<string>()
  readonly subjects = new Set<SubjectKey>()
  readonly deduplication = new Set<string>()
  readonly workspaces = new Set<WorkspaceId>()

  identifier(workspace: WorkspaceId, kind: IdentifierKind, value: string | null): void {
    if (value !== null) this.identifiers.add(identifierText(workspace, kind, value))
  }

  subject(key: SubjectKey | null): void {
    if (key !== null) this.subjects.add(key)
  }

  reference(workspace: WorkspaceId, reference: Reference | null): void {
    switch (reference?._tag) {
      case undefined:
        return
      case "BySvcId":
        return this.subject(reference.key)
      case "ByIdentifier":
        return this.identifier(workspace, reference.kind, reference.value)
      case "ByBareText":
        this.identifier(workspace, "id", reference.value)
        return this.reference(workspace, reference.otherwise)
    }
  }

  device(workspace: WorkspaceId, device: { readonly token: string } | null): void {
    if (device !== null) this.identifiers.add(deviceText(workspace, device.token))
  }

  object(workspace: WorkspaceId, object: ObjectReference): void {
    switch (object._tag) {
      case "ByTypeAndId":
        this.identifiers.add(objectText(workspace, object.typeId, object.objectId))
        return
      case "BySvcObjectId":
        return this.subject(object.key)
    }
  }
}

const collect = (needs: Collector, command: Command): void => {
  const workspace = command.workspace.id
  switch (command._tag) {
    case "IdentifyPerson":
      needs.reference(workspace, command.target)
      needs.identifier(workspace, "id", command.id)
      needs.identifier(workspace, "email", command.email)
      needs.identifier(workspace, "anonymous_id", command.anonymousId)
      for (const { object } of command.relationships?.entries ?? []) needs.object(workspace, object)
      return needs.device(workspace, command.device)
    case "DeletePerson":
    case "SuppressPerson":
    case "UnsuppressPerson":
      return needs.reference(workspace, command.target)
    case "RecordEvent":
      needs.reference(workspace, command.target)
      return needs.device(workspace, command.device)
    case "AliasPerson":
      needs.reference(workspace, command.target)
      needs.reference(workspace, command.previous)
      return needs.identifier(workspace, "anonymous_id", command.previousId)
    case "MergePeople":
      needs.reference(workspace, command.primary)
      return needs.reference(workspace, command.secondary)
    case "AddDevice":
    case "DeleteDevice":
      needs.reference(workspace, command.target)
      return needs.device(workspace, command)
    case "ChangeRelationships":
      needs.reference(workspace, command.target)
      for (const { object } of command.entries) needs.object(workspace, object)
      return
    case "IdentifyObject":
    case "ChangeObjectRelationships":
      needs.object(workspace, command.object)
      for (const { person } of command.entries) needs.reference(workspace, person)
      return
    case "DeleteObject":
      return needs.object(workspace, command.object)
    case "SubmitForm":
      needs.identifiers.add(formText(workspace, command.formId))
      // Which field names the respondent is known once the form is: any of them may.
      for (const { value } of command.fields) {
        needs.identifier(workspace, "id", value)
        needs.identifier(workspace, "email", emailIn(value))
        needs.identifier(workspace, "anonymous_id", value)
      }
      return
    case "ChangeMembership":
      needs.subject(command.segment)
      for (const person of command.people) needs.reference(workspace, person)
      return
    case "ReportMetric":
    case "UnsubscribeByDelivery":
      needs.identifiers.add(deliveryText(workspace, command.deliveryId))
      return
    case "RegisterDelivery":
      needs.identifiers.add(deliveryText(workspace, command.deliveryId))
      return needs.reference(workspace, command.person)
    case "MapForm":
      needs.identifiers.add(formText(workspace, command.formId))
      return
    case "DeleteSegment":
      return needs.subject(command.segment)
    case "CreateSegment":
    case "RejectOperation":
    case "ReportExcess":
      return
  }
}
