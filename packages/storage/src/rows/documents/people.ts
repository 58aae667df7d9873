import type { Attributes } from "@inlethq/core/state/Attributes"
import type { Devices } from "@inlethq/core/state/Device"
import { noOrigins, type Attachment, type Origins, type Person } from "@inlethq/core/state/Person"
import type { Relationships } from "@inlethq/core/state/Relationships"
import type { Visitor } from "@inlethq/core/state/Visitor"
import type { IdentifierKind, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text, type Row } from "../../columns/columns.ts"
import {
  attributesOf,
  devicesOf,
  flatAttributes,
  flatDevices,
  flatRelationships,
  relationshipsOf,
  type FlatAttributes,
  type FlatDevices,
  type FlatRelationships,
} from "./attributes.ts"

/*
 * The documents of people and visitors in rows of `subjects`. Fields that are null or empty are left out.
 */

interface PersonDocument {
  readonly id: string | undefined
  readonly email: string | undefined
  /**
   * The times when the `id` and the `email` were last set or removed, in milliseconds after the creation of the person.
   * A time is left out if the identifier was never set, or was set at the creation.
   */
  readonly idAt: number | null | undefined
  readonly emailAt: number | null | undefined
  readonly anonymousIds: ReadonlyArray<string> | undefined
  /**
   * One tuple for each identified visitor or merged person that belongs to the person: its key, the times `at` and
   * `since` (see `Attachment` in core), and 1 if `merged` is true. Then what few have: `merge`, `onward`, `freed`, `former`, `moved` or `via`.
   */
  readonly attached: ReadonlyArray<FlatAttachment> | undefined
  readonly former: Person["former"] | undefined
  readonly origins: ReadonlyArray<readonly [path: string, merged: SubjectKey]> | undefined
  readonly attributes: FlatAttributes | undefined
  readonly devices: FlatDevices | undefined
  readonly relationships: FlatRelationships | undefined
  readonly segments: ReadonlyArray<SubjectKey> | undefined
}

type FlatAttachment = readonly [
  SubjectKey,
  number,
  number,
  (0 | 1)?,
  Pick<Attachment, "former" | "freed" | "merge" | "moved" | "onward" | "via">?,
]

interface VisitorDocument {
  readonly knownAs: readonly [kind: IdentifierKind, value: string]
  readonly attributes: FlatAttributes | undefined
  readonly devices: FlatDevices | undefined
  readonly relationships: FlatRelationships | undefined
}

export const personDocument = (person: Person): string => {
  const { anonymousIds, attached, attributes, createdAt, email, id, segments } = person
  const document: PersonDocument = {
    id: id ?? undefined,
    email: email ?? undefined,
    idAt: flatSetAt(id, person.idAt, createdAt),
    emailAt: flatSetAt(email, person.emailAt, createdAt),
    anonymousIds: anonymousIds.length === 0 ? undefined : anonymousIds,
    attached: attached.length === 0 ? undefined : attached.map(flatAttachment),
    former: person.former.length === 0 ? undefined : person.former,
    origins: person.origins.size === 0 ? undefined : [...person.origins],
    attributes: flatAttributes(attributes, createdAt),
    devices: flatDevices(person.devices, createdAt),
    relationships: flatRelationships(person.relationships, createdAt),
    segments: segments.length === 0 ? undefined : segments,
  }
  return JSON.stringify(document)
}

export const personFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Person =>
  new StoredPerson(key, workspace, integer(row["created"]), integer(row["updated"]), text(row["doc"]))

/** One list for all that are empty, so that comparing two of them finds no difference. */
const none: ReadonlyArray<never> = []

/** A person with a document that is parsed only when it is needed. Most commands about a person need only the key. */
class StoredPerson implements Person {
  readonly _tag = "Person"
  readonly key: SubjectKey
  readonly workspace: WorkspaceId
  readonly createdAt: number
  readonly updatedAt: number
  private readonly text: string
  private parsedDocument: PersonDocument | undefined
  private parsedAttributes: Attributes | undefined
  private parsedAttached: Person["attached"] | undefined
  private parsedDevices: Devices | undefined
  private parsedOrigins: Origins | undefined
  private parsedRelationships: Relationships | undefined

  constructor(key: SubjectKey, workspace: WorkspaceId, createdAt: number, updatedAt: number, text: string) {
    this.key = key
    this.workspace = workspace
    this.createdAt = createdAt
    this.updatedAt = updatedAt
    this.text = text
  }

  get id(): string | null {
    return this.document.id ?? null
  }

  get email(): string | null {
    return this.document.email ?? null
  }

  get idAt(): number | null {
    return setAtOf(this.id, this.document.idAt, this.createdAt)
  }

  get emailAt(): number | null {
    return setAtOf(this.email, this.document.emailAt, this.createdAt)
  }

  get anonymousIds(): ReadonlyArray<string> {
    return this.document.anonymousIds ?? none
  }

  get attributes(): Attributes {
    return (this.parsedAttributes ??= attributesOf(this.document.attributes, this.createdAt))
  }

  get attached(): Person["attached"] {
    // Every event asks for this, and most people have none, so the document is not decoded for it.
    if (this.parsedDocument === undefined && !this.text.includes(attachedField)) return none
    return (this.parsedAttached ??= this.document.attached?.map(attachmentOf) ?? none)
  }

  get former(): Person["former"] {
    return this.document.former ?? none
  }

  get origins(): Origins {
    // Whoever has something from merged people has them attached.
    if (this.attached.length === 0) return noOrigins
    const { origins } = this.document
    return (this.parsedOrigins ??= origins === undefined ? noOrigins : new Map(origins))
  }

  get devices(): Devices {
    return (this.parsedDevices ??= devicesOf(this.document.devices, this.createdAt))
  }

  get relationships(): Relationships {
    return (this.parsedRelationships ??= relationshipsOf(this.document.relationships, this.createdAt))
  }

  get segments(): ReadonlyArray<SubjectKey> {
    return this.document.segments ?? none
  }

  private get document(): PersonDocument {
    return (this.parsedDocument ??= JSON.parse(this.text))
  }
}

/**
 * Returns the time when an identifier was last set or removed, relative to the creation of the person. Returns
 * undefined if the identifier was set at the creation, or was never set.
 */
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

/** Every document of a person with `attached` contains this text, and some others may. */
const attachedField = '"attached":['

const flatAttachment = ({
  at,
  former,
  freed,
  key,
  merge,
  merged,
  moved,
  onward,
  since,
  via,
}: Attachment): FlatAttachment => {
  const few = [former, freed, merge, moved, onward, via]
  if (few.every((one) => one === undefined)) return merged ? [key, at, since, 1] : [key, at, since]
  const more = {
    ...(merge !== undefined && { merge }),
    ...(onward !== undefined && { onward }),
    ...(freed !== undefined && { freed }),
    ...(former !== undefined && { former }),
    ...(moved !== undefined && { moved }),
    ...(via !== undefined && { via }),
  }
  return [key, at, since, merged ? 1 : 0, more]
}

const attachmentOf = ([key, at, since, merged, more]: FlatAttachment): Attachment => ({
  key,
  at,
  since,
  merged: merged === 1,
  ...more,
})

export const visitorDocument = ({
  attributes,
  createdAt,
  devices,
  knownAs,
  relationships,
}: Visitor): string => {
  const document: VisitorDocument = {
    knownAs: [knownAs.kind, knownAs.value],
    attributes: flatAttributes(attributes, createdAt),
    devices: flatDevices(devices, createdAt),
    relationships: flatRelationships(relationships, createdAt),
  }
  return JSON.stringify(document)
}

export const visitorFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Visitor => {
  const document: VisitorDocument = JSON.parse(text(row["doc"]))
  const createdAt = integer(row["created"])
  return {
    _tag: "Visitor",
    key,
    workspace,
    knownAs: { kind: document.knownAs[0], value: document.knownAs[1] },
    attributes: attributesOf(document.attributes, createdAt),
    devices: devicesOf(document.devices, createdAt),
    relationships: relationshipsOf(document.relationships, createdAt),
    createdAt,
    updatedAt: integer(row["updated"]),
  }
}
