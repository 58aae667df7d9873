import type { AddDevice, DeleteDevice } from "@inlethq/core/device/commands"
import type { AliasPerson, DeletePerson, IdentifyPerson, MergePeople } from "@inlethq/core/person/commands"
import type { ChangeObjectRelationships, ChangeRelationships } from "@inlethq/core/relationship/commands"
import type { RecordEvent } from "@inlethq/core/event/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { SubmitForm } from "@inlethq/core/form/commands"
import type { SuppressPerson, UnsuppressPerson } from "@inlethq/core/suppression/commands"
import { SubjectKey, type IdentifierKind, type Reference } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { defaults, epoch, workspaceOf, type Settings } from "./scripts.ts"

/** The parts of a command's envelope that tests can set. All other parts have defaults. */
interface Given {
  readonly settings?: Partial<Settings>
  /** Receipt time, in milliseconds after `epoch`. */
  readonly received?: number
  /** The command's own time, in milliseconds after `epoch`. Defaults to the receipt time. */
  readonly at?: number
  readonly key?: string
}

const envelope = ({ at, key, received = 0, settings }: Given) => ({
  workspace: workspaceOf(1, { ...defaults, ...settings }),
  source: "track-v1" as const,
  receivedAt: epoch + received,
  at: epoch + (at ?? received),
  followsReceipt: at === undefined,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: key ?? null,
  sender: null,
  faults: [],
})

export const by = (kind: IdentifierKind, value: string): Extract<Reference, { _tag: "ByIdentifier" }> => ({
  _tag: "ByIdentifier",
  kind,
  value,
})

export const bySvcId = (key: number): Extract<Reference, { _tag: "BySvcId" }> => ({
  _tag: "BySvcId",
  key: SubjectKey.make(key),
})

const assignmentsOf = (set: { readonly [name: string]: Json } = {}) =>
  Object.entries(set).map(([name, value]) => ({ name, value }))

export const identify = (
  target: Reference,
  given: Given & {
    readonly id?: string
    readonly email?: string
    readonly removeEmail?: boolean
    readonly anonymousId?: string
    readonly set?: { readonly [name: string]: Json }
    readonly updateOnly?: boolean
    readonly relationships?: IdentifyPerson["relationships"]
    readonly device?: IdentifyPerson["device"]
  } = {},
): IdentifyPerson => ({
  _tag: "IdentifyPerson",
  ...envelope(given),
  target,
  id: given.id ?? null,
  email: given.email ?? null,
  removeEmail: given.removeEmail ?? false,
  anonymousId: given.anonymousId ?? null,
  assignments: assignmentsOf(given.set),
  relationships: given.relationships ?? null,
  device: given.device ?? null,
  updateOnly: given.updateOnly ?? false,
})

export const remove = (target: Reference, given: Given = {}): DeletePerson => ({
  _tag: "DeletePerson",
  ...envelope(given),
  target,
})

export const alias = (target: Reference, previousId: string, given: Given = {}): AliasPerson => ({
  _tag: "AliasPerson",
  ...envelope(given),
  target,
  previous: { _tag: "ByBareText", value: previousId, otherwise: by("id", previousId) },
  previousId,
})

export const addDevice = (
  target: Reference,
  token: string,
  given: Given & { readonly set?: { readonly [name: string]: Json } } = {},
): AddDevice => ({
  _tag: "AddDevice",
  ...envelope(given),
  target,
  token,
  platform: "ios",
  lastUsed: null,
  lastUsedGiven: false,
  assignments: assignmentsOf(given.set),
})

export const deleteDevice = (target: Reference, token: string, given: Given = {}): DeleteDevice => ({
  _tag: "DeleteDevice",
  ...envelope(given),
  target,
  token,
})

/** The only object in these tests. */
const acme = { _tag: "ByTypeAndId", typeId: "1", objectId: "acme" } as const

/** Returns the part of a request that adds or removes a relationship with the object `acme`. */
export const toAcme = (action: "add" | "delete", set?: { readonly [name: string]: Json }) => ({
  action,
  entries: [{ object: acme, assignments: assignmentsOf(set) }],
})

export const relate = (
  target: Reference,
  action: "add" | "delete",
  given: Given & { readonly set?: { readonly [name: string]: Json } } = {},
): ChangeRelationships => ({
  _tag: "ChangeRelationships",
  ...envelope(given),
  target,
  ...toAcme(action, given.set),
})

/**
 * Adds or removes relationships with `acme` through a command about the object. `relate` uses a command about the
 * person.
 */
export const relateAcme = (
  person: Reference,
  action: "add" | "delete",
  given: Given = {},
): ChangeObjectRelationships => ({
  _tag: "ChangeObjectRelationships",
  ...envelope(given),
  object: acme,
  action,
  entries: [{ person, assignments: [] }],
})

export const submit = (fields: { readonly [name: string]: string }, given: Given = {}): SubmitForm => ({
  _tag: "SubmitForm",
  ...envelope(given),
  formId: "contact",
  fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
})

export const suppress = (target: Reference, given: Given = {}): SuppressPerson => ({
  _tag: "SuppressPerson",
  ...envelope(given),
  target,
})

export const unsuppress = (target: Reference, given: Given = {}): UnsuppressPerson => ({
  _tag: "UnsuppressPerson",
  ...envelope(given),
  target,
})

export const merge = (primary: Reference, secondary: Reference, given: Given = {}): MergePeople => ({
  _tag: "MergePeople",
  ...envelope(given),
  primary,
  secondary,
})

export const event = (
  target: Reference | null,
  given: Given & { readonly data?: Json } = {},
): RecordEvent => ({
  _tag: "RecordEvent",
  ...envelope(given),
  kind: "event",
  target,
  anonymousId: null,
  name: "bought",
  data: given.data ?? null,
  device: null,
})

export const reject = (given: Given = {}): RejectOperation => ({
  _tag: "RejectOperation",
  ...envelope(given),
  kind: "identify",
  faults: [{ reason: "required", code: "event_name_blank", field: "name", values: {} }],
})
