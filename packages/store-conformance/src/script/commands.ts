import type { Envelope } from "@inlethq/core/fold/Envelope"
import type { EventKind } from "@inlethq/core/log/ActivityEntry"
import type { RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import type { CommandOf } from "@inlethq/core/Command"
import type { DeviceChange } from "@inlethq/core/device/commands"
import type { Channel, DeliveryMetric, SourceId } from "@inlethq/core/state/Delivery"
import type { PlanFinding } from "@inlethq/core/log/PlanFinding"
import type { Provenance } from "@inlethq/core/log/Provenance"
import type { SenderId } from "@inlethq/core/log/Sender"
import {
  SubjectKey,
  WorkspaceId,
  type ObjectReference,
  type Reference,
} from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/* Functions that build commands, one for each kind. Fields that a test does not give have defaults. */

/** The default receipt time of commands. */
export const noon = 1_800_000_000_000

export const workspaceOf = (id: number): Workspace => ({
  id: WorkspaceId.make(id),
  name: `Workspace ${id}`,
  region: "us",
  identifiers: { id: true, email: true },
  emailUpdateById: false,
  eventMerging: true,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "truncate",
  plan: null,
  unknownEvents: "allow",
  rateLimit: "observe",
  kafka: null,
  lake: null,
  retentionDays: null,
  auditDays: 365,
  historyDays: 30,
  rejectedDays: 7,
  alerts: { errorRatePercent: 5, errorsMin: 10, lagSeconds: 900 },
  recordsMax: null,
  limits: defaultLimits,
})

export const first = workspaceOf(1)
export const second = workspaceOf(2)

export const byId = (value: string): Reference => ({ _tag: "ByIdentifier", kind: "id", value })
export const byEmail = (value: string): Reference => ({ _tag: "ByIdentifier", kind: "email", value })
export const byAnonymousId = (value: string): Reference => ({
  _tag: "ByIdentifier",
  kind: "anonymous_id",
  value,
})
export const bySvcId = (key: number): Reference => ({ _tag: "BySvcId", key: SubjectKey.make(key) })

export const objectOf = (typeId: string, objectId: string): ObjectReference => ({
  _tag: "ByTypeAndId",
  typeId,
  objectId,
})
export const bySvcObjectId = (key: number): ObjectReference => ({
  _tag: "BySvcObjectId",
  key: SubjectKey.make(key),
})

/** The attributes in a request, in order. */
type Given = ReadonlyArray<readonly [name: string, value: Json]>

const assignmentsOf = (given: Given) => given.map(([name, value]) => ({ name, value }))

/** The fields of a command's envelope that tests can set. */
export interface Circumstances {
  readonly in?: Workspace
  readonly receivedAt?: number
  readonly at?: number
  readonly deduplicationKey?: string
  readonly batchIndex?: number
  readonly sender?: SenderId
  readonly keptAs?: NonNullable<Envelope["keptAs"]>
  readonly provenance?: Provenance
  readonly plan?: PlanFinding
}

/** Returns the fields that all commands share. */
export const envelope = (circumstances: Circumstances) => ({
  workspace: circumstances.in ?? first,
  source: "track-v2" as const,
  receivedAt: circumstances.receivedAt ?? noon,
  at: circumstances.at ?? circumstances.receivedAt ?? noon,
  followsReceipt: circumstances.at === undefined,
  originalTimestamp: null,
  batchIndex: circumstances.batchIndex ?? null,
  deduplicationKey: circumstances.deduplicationKey ?? null,
  sender: circumstances.sender ?? null,
  faults: [],
  ...(circumstances.keptAs !== undefined && { keptAs: circumstances.keptAs }),
  ...(circumstances.provenance !== undefined && { provenance: circumstances.provenance }),
  ...(circumstances.plan !== undefined && { plan: circumstances.plan }),
})

export const identify = (
  target: Reference,
  attributes: Given = [],
  given: Circumstances & {
    readonly id?: string
    readonly email?: string
    readonly removeEmail?: boolean
    readonly anonymousId?: string
    readonly relatedTo?: ReadonlyArray<Related<ObjectReference>>
    readonly device?: DeviceChange
  } = {},
): CommandOf<"IdentifyPerson"> => ({
  _tag: "IdentifyPerson",
  ...envelope(given),
  target,
  id: given.id ?? null,
  email: given.email ?? null,
  removeEmail: given.removeEmail ?? false,
  anonymousId: given.anonymousId ?? null,
  assignments: assignmentsOf(attributes),
  relationships:
    given.relatedTo === undefined ? null : { action: "add", entries: objectEntries(given.relatedTo) },
  device: given.device ?? null,
  updateOnly: false,
})

export const event = (
  target: Reference | null,
  name: string,
  given: Circumstances & {
    readonly kind?: EventKind
    readonly data?: Json
    readonly device?: DeviceChange
    readonly anonymousId?: string
  } = {},
): CommandOf<"RecordEvent"> => ({
  _tag: "RecordEvent",
  ...envelope(given),
  kind: given.kind ?? "event",
  target,
  anonymousId: given.anonymousId ?? null,
  name,
  data: given.data ?? null,
  device: given.device ?? null,
})

export const remove = (target: Reference, given: Circumstances = {}): CommandOf<"DeletePerson"> => ({
  _tag: "DeletePerson",
  ...envelope(given),
  target,
})

export const reject = (given: Circumstances = {}): CommandOf<"RejectOperation"> => ({
  _tag: "RejectOperation",
  ...envelope(given),
  kind: "identify",
  faults: [{ reason: "required", code: "identifier_missing", field: "id", values: {} }],
})

/** A person or an object in a request that adds or removes relationships, with the attributes of the relationship. */
type Related<To> = readonly [to: To, attributes?: Given]

const objectEntries = (related: ReadonlyArray<Related<ObjectReference>>) =>
  related.map(([object, attributes = []]) => ({ object, assignments: assignmentsOf(attributes) }))

const personEntries = (related: ReadonlyArray<Related<Reference>>) =>
  related.map(([person, attributes = []]) => ({ person, assignments: assignmentsOf(attributes) }))

export const suppress = (target: Reference, given: Circumstances = {}): CommandOf<"SuppressPerson"> => ({
  _tag: "SuppressPerson",
  ...envelope(given),
  target,
})

export const unsuppress = (target: Reference, given: Circumstances = {}): CommandOf<"UnsuppressPerson"> => ({
  _tag: "UnsuppressPerson",
  ...envelope(given),
  target,
})

export const merge = (
  primary: Reference,
  secondary: Reference,
  given: Circumstances = {},
): CommandOf<"MergePeople"> => ({ _tag: "MergePeople", ...envelope(given), primary, secondary })

/** Undoes a merge. `divide` says whether events since then go back. */
export const unmerge = (
  { primary, receipt, secondary }: RecordedMerge,
  { divide = false, ...given }: Circumstances & { readonly divide?: boolean } = {},
): CommandOf<"UnmergePeople"> => ({
  _tag: "UnmergePeople",
  ...envelope(given),
  primary,
  secondary,
  receipt,
  divide,
})

export const alias = (
  target: Reference,
  previousId: string,
  given: Circumstances = {},
): CommandOf<"AliasPerson"> => ({
  _tag: "AliasPerson",
  ...envelope(given),
  target,
  previous: byId(previousId),
  previousId,
})

export const addDevice = (
  target: Reference,
  token: string,
  attributes: Given = [],
  given: Circumstances & { readonly platform?: string; readonly lastUsed?: number } = {},
): CommandOf<"AddDevice"> => ({
  _tag: "AddDevice",
  ...envelope(given),
  target,
  token,
  platform: given.platform ?? "ios",
  lastUsed: given.lastUsed ?? null,
  lastUsedGiven: given.lastUsed !== undefined,
  assignments: assignmentsOf(attributes),
})

export const deleteDevice = (
  target: Reference,
  token: string,
  given: Circumstances = {},
): CommandOf<"DeleteDevice"> => ({ _tag: "DeleteDevice", ...envelope(given), target, token })

const changeRelationships =
  (action: "add" | "delete") =>
  (
    target: Reference,
    related: ReadonlyArray<Related<ObjectReference>>,
    given: Circumstances = {},
  ): CommandOf<"ChangeRelationships"> => ({
    _tag: "ChangeRelationships",
    ...envelope(given),
    target,
    action,
    entries: objectEntries(related),
  })

export const relate = changeRelationships("add")
export const unrelate = changeRelationships("delete")

export const identifyObject = (
  object: ObjectReference,
  attributes: Given = [],
  related: ReadonlyArray<Related<Reference>> = [],
  given: Circumstances = {},
): CommandOf<"IdentifyObject"> => ({
  _tag: "IdentifyObject",
  ...envelope(given),
  object,
  assignments: assignmentsOf(attributes),
  entries: personEntries(related),
})

export const deleteObject = (
  object: ObjectReference,
  given: Circumstances = {},
): CommandOf<"DeleteObject"> => ({ _tag: "DeleteObject", ...envelope(given), object })

const changeObjectRelationships =
  (action: "add" | "delete") =>
  (
    object: ObjectReference,
    related: ReadonlyArray<Related<Reference>>,
    given: Circumstances = {},
  ): CommandOf<"ChangeObjectRelationships"> => ({
    _tag: "ChangeObjectRelationships",
    ...envelope(given),
    object,
    action,
    entries: personEntries(related),
  })

export const relatePeople = changeObjectRelationships("add")
export const unrelatePeople = changeObjectRelationships("delete")

export const submitForm = (
  formId: string,
  fields: ReadonlyArray<readonly [name: string, value: string]>,
  given: Circumstances = {},
): CommandOf<"SubmitForm"> => ({
  _tag: "SubmitForm",
  ...envelope(given),
  formId,
  fields: fields.map(([name, value]) => ({ name, value })),
})

export const mapForm = (
  formId: string,
  mapping: ReadonlyArray<readonly [field: string, attribute: string]>,
  given: Circumstances = {},
): CommandOf<"MapForm"> => ({ _tag: "MapForm", ...envelope(given), formId, mapping: new Map(mapping) })

export const register = (
  deliveryId: string,
  person: Reference | null,
  given: Circumstances & {
    readonly channel?: Channel
    readonly recipient?: string
    readonly subject?: string
    readonly sources?: ReadonlyArray<readonly [SourceId, number | string]>
  } = {},
): CommandOf<"RegisterDelivery"> => ({
  _tag: "RegisterDelivery",
  ...envelope(given),
  deliveryId,
  channel: given.channel ?? "email",
  person,
  recipient: given.recipient ?? null,
  subject: given.subject ?? null,
  sources: new Map(given.sources),
})

export const report = (
  deliveryId: string,
  metric: DeliveryMetric,
  given: Circumstances & {
    readonly recipient?: string
    readonly href?: string
    readonly deviceToken?: string
    readonly actionName?: string
    readonly actionValue?: string
  } = {},
): CommandOf<"ReportMetric"> => ({
  _tag: "ReportMetric",
  ...envelope(given),
  deliveryId,
  metric,
  recipient: given.recipient ?? null,
  reason: null,
  href: given.href ?? null,
  deviceToken: given.deviceToken ?? null,
  actionName: given.actionName ?? null,
  actionValue: given.actionValue ?? null,
})

export const unsubscribe = (
  deliveryId: string,
  given: Circumstances & { readonly unsubscribe?: boolean } = {},
): CommandOf<"UnsubscribeByDelivery"> => ({
  _tag: "UnsubscribeByDelivery",
  ...envelope(given),
  deliveryId,
  unsubscribe: given.unsubscribe ?? true,
})

export const reportExcess = (requests: number, given: Circumstances = {}): CommandOf<"ReportExcess"> => ({
  _tag: "ReportExcess",
  ...envelope(given),
  requests,
})
