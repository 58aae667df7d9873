import type { SQLInputValue } from "node:sqlite"
import type { Attributes, Stamped } from "@inlet/core/Attributes"
import type { IdentifierKind, Sequence, SubjectKey, WorkspaceId } from "@inlet/core/Identifier"
import type { Json } from "@inlet/core/Json"
import type { Person } from "@inlet/core/person/Person"
import type { Subject } from "@inlet/core/Subject"
import { Brand } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"

/*
 * Rows of `subjects`. The mapping is by hand, since it runs for every subject of a batch; a test holds it equal to
 * core's schemas.
 */

/** The values of `workspace, state, owner, created, updated, doc`. */
export interface SubjectColumns {
  readonly workspace: number
  readonly state: number
  readonly owner: number | null
  readonly created: number | null
  readonly updated: number | null
  readonly doc: string
}

/** Attributes in order, three places each: name, value, and its time as milliseconds after that of the one before. */
type FlatAttributes = ReadonlyArray<Json>

/** Absent is null or none. */
interface PersonDoc {
  readonly id: string | undefined
  readonly email: string | undefined
  readonly anonymousIds: ReadonlyArray<string> | undefined
  /** Key, time and `since` of each attachment. */
  readonly attached: ReadonlyArray<readonly [SubjectKey, number, number]> | undefined
  readonly attributes: FlatAttributes | undefined
}

interface VisitorDoc {
  readonly knownAs: readonly [kind: IdentifierKind, value: string]
  readonly attributes: FlatAttributes | undefined
}

interface AttachedDoc {
  readonly at: number
  readonly since: number
}

/** `erasedTo` is how far erasing has come; it is nobody's business but the sweep's. */
interface ErasedDoc {
  readonly before: Sequence
  readonly erasedTo?: number
}

export const subjectKey = Brand.nominal<SubjectKey>()
export const workspaceId = Brand.nominal<WorkspaceId>()

export const columnsOf = (subject: Subject): SubjectColumns => {
  const { workspace } = subject
  switch (subject._tag) {
    case "Person":
      return {
        workspace,
        state: stateCodes.person,
        owner: null,
        created: subject.createdAt,
        updated: subject.updatedAt,
        doc: personDoc(subject),
      }
    case "Visitor": {
      const { attributes, createdAt, knownAs, updatedAt } = subject
      const doc: VisitorDoc = {
        knownAs: [knownAs.kind, knownAs.value],
        attributes: flat(attributes, createdAt),
      }
      return {
        workspace,
        state: knownAs.kind === "anonymous_id" ? stateCodes.anonymous : stateCodes.waiting,
        owner: null,
        created: createdAt,
        updated: updatedAt,
        doc: JSON.stringify(doc),
      }
    }
    case "Attached": {
      const doc: AttachedDoc = { at: subject.at, since: subject.since }
      const { owner } = subject
      return {
        workspace,
        state: stateCodes.attached,
        owner,
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
        created: null,
        updated: null,
        doc: erasedDoc({ before: subject.before }),
      }
  }
}

export const erasedDoc = (doc: ErasedDoc): string => JSON.stringify(doc)

export const readErasedDoc = (row: Row): ErasedDoc => JSON.parse(text(row["doc"]))

/** The subject of a row of `key, workspace, state, owner, created, updated, doc`. */
export const subjectOf = (row: Row): Subject => {
  const key = subjectKey(integer(row["key"]))
  const workspace = workspaceId(integer(row["workspace"]))
  switch (row["state"]) {
    case stateCodes.person:
      return personOf(key, workspace, row)
    case stateCodes.anonymous:
    case stateCodes.waiting: {
      const doc: VisitorDoc = JSON.parse(text(row["doc"]))
      const createdAt = integer(row["created"])
      return {
        _tag: "Visitor",
        key,
        workspace,
        knownAs: { kind: doc.knownAs[0], value: doc.knownAs[1] },
        attributes: attributesOf(doc.attributes, createdAt),
        createdAt,
        updatedAt: integer(row["updated"]),
      }
    }
    case stateCodes.attached: {
      const { at, since }: AttachedDoc = JSON.parse(text(row["doc"]))
      return { _tag: "Attached", key, workspace, owner: subjectKey(integer(row["owner"])), at, since }
    }
    case stateCodes.erased:
      return { _tag: "Erased", key, workspace, before: readErasedDoc(row).before }
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

  get anonymousIds(): ReadonlyArray<string> {
    return this.doc.anonymousIds ?? []
  }

  get attributes(): Attributes {
    return (this.read ??= attributesOf(this.doc.attributes, this.createdAt))
  }

  get attached(): Person["attached"] {
    return this.doc.attached?.map(([key, at, since]) => ({ key, at, since })) ?? []
  }

  private get doc(): PersonDoc {
    return (this.parsed ??= JSON.parse(this.text))
  }
}

const personDoc = ({ anonymousIds, attached, attributes, createdAt, email, id }: Person): string => {
  const doc: PersonDoc = {
    id: id ?? undefined,
    email: email ?? undefined,
    anonymousIds: anonymousIds.length === 0 ? undefined : anonymousIds,
    attached:
      attached.length === 0 ? undefined : attached.map(({ at, key, since }) => [key, at, since] as const),
    attributes: flat(attributes, createdAt),
  }
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

/** What a statement that saves a subject binds, its key last. */
export const bindingsOf = (key: SubjectKey, columns: SubjectColumns): Array<SQLInputValue> => [
  columns.workspace,
  columns.state,
  columns.owner,
  columns.created,
  columns.updated,
  columns.doc,
  key,
]
