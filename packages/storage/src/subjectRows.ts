import type { Attributes, Stamped } from "@inlet/core/state/Attributes"
import { noDevices, type Device, type Devices } from "@inlet/core/state/Device"
import type { IdentifierKind, Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Json } from "@inlet/core/values/Json"
import type { DataObject } from "@inlet/core/state/DataObject"
import type { Attachment, Person } from "@inlet/core/state/Person"
import { noRelationships, type Relationships } from "@inlet/core/state/Relationships"
import type { Subject } from "@inlet/core/state/Subject"
import type { Visitor } from "@inlet/core/state/Visitor"
import { Brand } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import { deliveryDoc, deliveryOf, formDoc, formOf, segmentDoc, segmentOf } from "./subjectDocuments.ts"
import { fromStored, toStored } from "./storedText.ts"

/*
 * Rows of `subjects`. The mapping is by hand, since it runs for every subject of a batch; a test holds it equal to
 * core's schemas.
 */

/** The values of `workspace, state, owner, name, created, updated, doc`. */
export interface SubjectColumns {
  readonly workspace: number
  readonly state: number
  readonly owner: number | null
  /** What subjects of this state are found by besides their key: an object by its type, a delivery by its id. */
  readonly name: string | null
  readonly created: number | null
  readonly updated: number | null
  readonly doc: string
}

/** Attributes in order, three places each: name, value, and its time as milliseconds after that of the one before. */
type FlatAttributes = ReadonlyArray<Json>

/** Relationships in order: the key of an object, and the attributes of the relationship. */
type FlatRelationships = ReadonlyArray<readonly [object: SubjectKey, attributes?: FlatAttributes]>

/** Devices in order. */
type FlatDevices = ReadonlyArray<
  readonly [token: string, platform: string, lastUsed: number | null, attributes?: FlatAttributes]
>

/** Absent is null or none. */
interface PersonDoc {
  readonly id: string | undefined
  readonly email: string | undefined
  /** Milliseconds after the profile was created; absent where that is the time of an identifier that is there. */
  readonly idAt: number | null | undefined
  readonly emailAt: number | null | undefined
  readonly anonymousIds: ReadonlyArray<string> | undefined
  /** Key, time and `since` of each attachment, and a 1 where a merge brought it. */
  readonly attached: ReadonlyArray<readonly [SubjectKey, number, number, 1?]> | undefined
  readonly attributes: FlatAttributes | undefined
  readonly devices: FlatDevices | undefined
  readonly relationships: FlatRelationships | undefined
  readonly segments: ReadonlyArray<SubjectKey> | undefined
}

interface VisitorDoc {
  readonly knownAs: readonly [kind: IdentifierKind, value: string]
  readonly attributes: FlatAttributes | undefined
  readonly devices: FlatDevices | undefined
  readonly relationships: FlatRelationships | undefined
}

interface AttachedDoc {
  readonly at: number
  readonly since: number
  readonly merged: 1 | undefined
}

interface ObjectDoc {
  readonly objectId: string
  readonly attributes: FlatAttributes | undefined
}

/** `erasedTo` and `addressedTo` are how far housekeeping has come, in the log and in the deliveries of the first address. */
export interface ErasedDoc {
  readonly before: Sequence
  readonly addresses?: ReadonlyArray<string> | undefined
  readonly erasedTo?: number
  readonly addressedTo?: number
}

export const subjectKey = Brand.nominal<SubjectKey>()
export const workspaceId = Brand.nominal<WorkspaceId>()

export const columnsOf = (subject: Subject): SubjectColumns => {
  const { workspace } = subject
  switch (subject._tag) {
    case "Person":
      return lasting(stateCodes.person, subject, null, personDoc(subject))
    case "Visitor": {
      const isAnonymous = subject.knownAs.kind === "anonymous_id"
      return lasting(
        isAnonymous ? stateCodes.anonymous : stateCodes.waiting,
        subject,
        null,
        visitorDoc(subject),
      )
    }
    case "Attached": {
      const { at, merged, owner, since } = subject
      const doc: AttachedDoc = { at, since, merged: merged ? 1 : undefined }
      return {
        workspace,
        state: stateCodes.attached,
        owner,
        name: null,
        created: null,
        updated: null,
        doc: JSON.stringify(doc),
      }
    }
    case "Erased":
      return {
        workspace,
        state: stateCodes.erased,
        owner: null,
        name: null,
        created: null,
        updated: null,
        doc: erasedDoc(subject),
      }
    case "DataObject":
      return lasting(stateCodes.object, subject, toStored(subject.typeId), objectDoc(subject))
    case "Delivery":
      return lasting(stateCodes.delivery, subject, toStored(subject.deliveryId), deliveryDoc(subject))
    case "Form":
      return lasting(stateCodes.form, subject, null, formDoc(subject))
    case "Segment":
      return lasting(stateCodes.segment, subject, null, segmentDoc(subject))
  }
}

/** The columns of what was seen at a first time, and mostly at a last one. */
const lasting = (
  state: number,
  subject: { readonly workspace: WorkspaceId; readonly createdAt: number; readonly updatedAt?: number },
  name: string | null,
  doc: string,
): SubjectColumns => ({
  workspace: subject.workspace,
  state,
  owner: null,
  name,
  created: subject.createdAt,
  updated: subject.updatedAt ?? null,
  doc,
})

export const erasedDoc = ({ addressedTo, addresses = [], before, erasedTo }: ErasedDoc): string => {
  const doc = { before, addresses: addresses.length === 0 ? undefined : addresses, erasedTo, addressedTo }
  return JSON.stringify(doc)
}

export const readErasedDoc = (row: Row): ErasedDoc => JSON.parse(text(row["doc"]))

/** The subject of a row of `key, workspace, state, owner, name, created, updated, doc`. */
export const subjectOf = (row: Row): Subject => {
  const key = subjectKey(integer(row["key"]))
  const workspace = workspaceId(integer(row["workspace"]))
  switch (row["state"]) {
    case stateCodes.person:
      return personOf(key, workspace, row)
    case stateCodes.anonymous:
    case stateCodes.waiting:
      return visitorOf(key, workspace, row)
    case stateCodes.attached: {
      const { at, merged, since }: AttachedDoc = JSON.parse(text(row["doc"]))
      const owner = subjectKey(integer(row["owner"]))
      return { _tag: "Attached", key, workspace, owner, at, since, merged: merged === 1 }
    }
    case stateCodes.erased:
    case stateCodes.stillNamed: {
      const { addresses = [], before } = readErasedDoc(row)
      return { _tag: "Erased", key, workspace, before, addresses }
    }
    case stateCodes.object:
      return objectOf(key, workspace, row)
    case stateCodes.delivery:
      return deliveryOf(key, workspace, row)
    case stateCodes.form:
      return formOf(key, workspace, row)
    case stateCodes.segment:
      return segmentOf(key, workspace, row)
    default:
      throw new RangeError(`subject ${key} is in no known state`)
  }
}

const personOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): Person =>
  new StoredPerson(key, workspace, integer(row["created"]), integer(row["updated"]), text(row["doc"]))

/** A person whose document is read when somebody asks: what is recorded about a person mostly asks for the key alone. */
class StoredPerson implements Person {
  readonly _tag = "Person"
  readonly key: SubjectKey
  readonly workspace: WorkspaceId
  readonly createdAt: number
  readonly updatedAt: number
  private readonly text: string
  private parsed: PersonDoc | undefined
  private read: Attributes | undefined
  private readDevices: Devices | undefined
  private readRelationships: Relationships | undefined

  constructor(key: SubjectKey, workspace: WorkspaceId, createdAt: number, updatedAt: number, text: string) {
    this.key = key
    this.workspace = workspace
    this.createdAt = createdAt
    this.updatedAt = updatedAt
    this.text = text
  }

  get id(): string | null {
    return this.doc.id ?? null
  }

  get email(): string | null {
    return this.doc.email ?? null
  }

  get idAt(): number | null {
    return setAtOf(this.id, this.doc.idAt, this.createdAt)
  }

  get emailAt(): number | null {
    return setAtOf(this.email, this.doc.emailAt, this.createdAt)
  }

  get anonymousIds(): ReadonlyArray<string> {
    return this.doc.anonymousIds ?? []
  }

  get attributes(): Attributes {
    return (this.read ??= attributesOf(this.doc.attributes, this.createdAt))
  }

  get attached(): Person["attached"] {
    return (
      this.doc.attached?.map(([key, at, since, merged]) => ({ key, at, since, merged: merged === 1 })) ?? []
    )
  }

  get devices(): Devices {
    return (this.readDevices ??= devicesOf(this.doc.devices, this.createdAt))
  }

  get relationships(): Relationships {
    return (this.readRelationships ??= relationshipsOf(this.doc.relationships, this.createdAt))
  }

  get segments(): ReadonlyArray<SubjectKey> {
    return this.doc.segments ?? []
  }

  private get doc(): PersonDoc {
    return (this.parsed ??= JSON.parse(this.text))
  }
}

const personDoc = (person: Person): string => {
  const { anonymousIds, attached, attributes, createdAt, email, id, segments } = person
  const doc: PersonDoc = {
    id: id ?? undefined,
    email: email ?? undefined,
    idAt: flatSetAt(id, person.idAt, createdAt),
    emailAt: flatSetAt(email, person.emailAt, createdAt),
    anonymousIds: anonymousIds.length === 0 ? undefined : anonymousIds,
    attached: attached.length === 0 ? undefined : attached.map(flatAttachment),
    attributes: flat(attributes, createdAt),
    devices: flatDevices(person.devices, createdAt),
    relationships: flatRelationships(person.relationships, createdAt),
    segments: segments.length === 0 ? undefined : segments,
  }
  return JSON.stringify(doc)
}

/** Most identifiers are set as the profile is created: then their time takes no room. */
const flatSetAt = (
  identifier: string | null,
  setAt: number | null,
  from: number,
): number | null | undefined => {
  if (setAt === (identifier === null ? null : from)) return undefined
  return setAt === null ? null : setAt - from
}

const setAtOf = (
  identifier: string | null,
  after: number | null | undefined,
  from: number,
): number | null => {
  if (after === undefined) return identifier === null ? null : from
  return after === null ? null : from + after
}

const flatAttachment = ({ at, key, merged, since }: Attachment) =>
  merged ? ([key, at, since, 1] as const) : ([key, at, since] as const)

const visitorOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): Visitor => {
  const doc: VisitorDoc = JSON.parse(text(row["doc"]))
  const createdAt = integer(row["created"])
  return {
    _tag: "Visitor",
    key,
    workspace,
    knownAs: { kind: doc.knownAs[0], value: doc.knownAs[1] },
    attributes: attributesOf(doc.attributes, createdAt),
    devices: devicesOf(doc.devices, createdAt),
    relationships: relationshipsOf(doc.relationships, createdAt),
    createdAt,
    updatedAt: integer(row["updated"]),
  }
}

const visitorDoc = ({ attributes, createdAt, devices, knownAs, relationships }: Visitor): string => {
  const doc: VisitorDoc = {
    knownAs: [knownAs.kind, knownAs.value],
    attributes: flat(attributes, createdAt),
    devices: flatDevices(devices, createdAt),
    relationships: flatRelationships(relationships, createdAt),
  }
  return JSON.stringify(doc)
}

const objectOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): DataObject => {
  const doc: ObjectDoc = JSON.parse(text(row["doc"]))
  const createdAt = integer(row["created"])
  return {
    _tag: "DataObject",
    key,
    workspace,
    typeId: fromStored(text(row["name"])),
    objectId: doc.objectId,
    attributes: attributesOf(doc.attributes, createdAt),
    createdAt,
    updatedAt: integer(row["updated"]),
  }
}

const objectDoc = ({ attributes, createdAt, objectId }: DataObject): string => {
  const doc: ObjectDoc = { objectId, attributes: flat(attributes, createdAt) }
  return JSON.stringify(doc)
}

const flat = (attributes: Attributes, from: number): FlatAttributes | undefined => {
  if (attributes.size === 0) return undefined
  const places: Array<Json> = []
  let before = from
  for (const [name, { at, value }] of attributes) {
    places.push(name, value, at - before)
    before = at
  }
  return places
}

const attributesOf = (places: FlatAttributes | undefined, from: number): Attributes => {
  const attributes = new Map<string, Stamped>()
  if (places === undefined) return attributes
  let at = from
  for (let i = 0; i + 2 < places.length; i += 3) {
    const name = places[i]
    const after = places[i + 2]
    if (typeof name !== "string" || typeof after !== "number") throw new TypeError("malformed attributes")
    at += after
    attributes.set(name, { value: places[i + 1] ?? null, at })
  }
  return attributes
}

const flatDevices = (devices: Devices, from: number): FlatDevices | undefined => {
  if (devices.size === 0) return undefined
  return Array.from(devices, ([token, { attributes, lastUsed, platform }]) => {
    const places = flat(attributes, from)
    return places === undefined ? [token, platform, lastUsed] : [token, platform, lastUsed, places]
  })
}

const devicesOf = (flatDevices: FlatDevices | undefined, from: number): Devices => {
  if (flatDevices === undefined) return noDevices
  const devices = new Map<string, Device>()
  for (const [token, platform, lastUsed, places] of flatDevices) {
    devices.set(token, { platform, lastUsed, attributes: attributesOf(places, from) })
  }
  return devices
}

const flatRelationships = (relationships: Relationships, from: number): FlatRelationships | undefined => {
  if (relationships.size === 0) return undefined
  return Array.from(relationships, ([object, attributes]) => {
    const places = flat(attributes, from)
    return places === undefined ? [object] : [object, places]
  })
}

const relationshipsOf = (places: FlatRelationships | undefined, from: number): Relationships => {
  if (places === undefined) return noRelationships
  return new Map(places.map(([object, attributes]) => [object, attributesOf(attributes, from)]))
}

/** What a statement that saves a subject binds, its key last. */
export const bindingsOf = (key: SubjectKey, columns: SubjectColumns): Array<string | number | null> => [
  columns.workspace,
  columns.state,
  columns.owner,
  columns.name,
  columns.created,
  columns.updated,
  columns.doc,
  key,
]
