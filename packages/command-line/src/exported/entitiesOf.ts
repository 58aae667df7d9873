import { eventDraft } from "@inlethq/log/call/Draft"
import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { ExportedObject } from "@inlethq/contract/transfer/Exports"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { callProvenanceDocument, callProvenanceIn } from "@inlethq/contract/activity/CallProvenance"
import { PersonDocument } from "@inlethq/contract/people/People"
import { EventKind } from "@inlethq/core/log/ActivityEntry"
import { innerKey } from "@inlethq/core/values/deduplicationKeys"
import { Schema } from "effect"

/*
 * Converts exported documents to entities of Track v2, and to what Track v2 cannot say.
 */

/** An entity of Track v2. */
type Entity = Readonly<Record<string, Schema.Json>>

/** An entity to import. Only events have a key of their own. */
export type Draft = Omit<ExportedEntity, "key"> & { readonly key?: string }

/**
 * The largest number of bytes of attributes in one entity: half of the server's default limit of 32 KB for an entity.
 */
const attributeBytesMax = 16 * 1024

/** The largest number of relationships in one entity. */
const relationshipsMax = 50

/** An exported log entry of an event. Log entries of other kinds cannot be imported. */
const ExportedEvent = Schema.Struct({ ...ActivityDocument.fields, kind: EventKind })

type Person = typeof PersonDocument.Type
type ExportedEvent = typeof ExportedEvent.Type
type ObjectLine = typeof ExportedObject.Type

const decodePerson = Schema.decodeUnknownEffect(Schema.fromJsonString(PersonDocument))
const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(ExportedEvent))
const decodeObject = Schema.decodeUnknownEffect(Schema.fromJsonString(ExportedObject))

/** Maps each kind of export to the decoder of its documents. */
export const decoders = { people: decodePerson, events: decodeEvent, objects: decodeObject }

/**
 * Returns the identifier with which a person can be found in another workspace. Returns undefined if the person has
 * neither an id nor an email.
 */
const identifiersOf = ({ email, id }: { readonly id: string | null; readonly email: string | null }) =>
  id !== null ? { id } : email !== null ? { email } : undefined

/**
 * Returns the Track v2 entities that create an exported person in another workspace. Returns an empty list if the
 * person has neither an id nor an email.
 */
export const personEntities = (person: Person): ReadonlyArray<Draft> => {
  const identifiers = identifiersOf(person)
  if (identifiers === undefined) return []
  const common = { type: "person", identifiers }
  const own: Record<string, Schema.Json> = {
    created_at: person.created_at,
    ...(person.id !== null && person.email !== null ? { email: person.email } : {}),
    ...(person.unsubscribed ? { unsubscribed: true } : {}),
  }
  const preferences =
    Object.keys(person.subscription_preferences).length === 0
      ? []
      : [{ svc_subscription_preferences: person.subscription_preferences }]
  const anonymous = person.anonymous_ids.map((anonymous_id) => ({ anonymous_id }))
  const identify = (attributes: Entity) => ({ ...common, action: "identify", attributes })
  const entities: ReadonlyArray<Entity> = [
    ...[...parts(person.attributes), ...preferences, ...anonymous].map(identify),
    ...person.devices.map(({ attributes, last_used, platform, token }) => ({
      ...common,
      action: "add_device",
      device: {
        token,
        platform,
        attributes,
        ...(last_used === null ? {} : { last_used }),
      },
    })),
    ...chunks(person.relationships).map((chunk) => ({
      ...common,
      action: "add_relationships",
      svc_relationships: chunk.map(({ attributes, object_id, object_type_id }) => ({
        identifiers: { object_type_id, object_id },
        relationship_attributes: attributes,
      })),
    })),
  ]
  const seen_at = person.updated_at
  return [
    { entity: identify(own), created_at: person.created_at, seen_at },
    ...entities.map((entity) => ({ entity, seen_at })),
  ]
}

const draftOf = (entity: Entity): Draft => ({ entity })

/**
 * Returns the Track v2 entity that records an exported event again, with the event's original time. If the event has no
 * deduplication key, the entity's key is made of the event's operation id and receipt time, so that importing the event
 * twice records it once. Returns an empty list if the event has no identifier or no name.
 */
export const eventEntities = (event: ExportedEvent): ReadonlyArray<Draft> => {
  const { anonymous_id } = event.subject
  const identifiers = {
    ...identifiersOf(event.subject),
    ...(anonymous_id === null ? {} : { anonymous_id }),
  }
  if (Object.keys(identifiers).length === 0 || event.name === null) return []
  return [
    {
      ...eventDraft({ ...event, identifiers }),
      ...(event.kept_as.length > 0 && {
        kept_as: event.kept_as.map(({ code, cut_from, kept, path, sent }) => ({
          path,
          sent,
          ...(cut_from !== undefined && { cut_from }),
          kept,
          code,
        })),
      }),
      key: event.id ?? innerKey(`exported:${event.operation_id}:${Date.parse(event.received_at)}`),
      at: event.at,
      seen_at: event.received_at,
      ...callProvenanceDocument(callProvenanceIn(event)),
    },
  ]
}

/** Returns the Track v2 entities that create an exported object and its relationships in another workspace. */
export const objectEntities = (object: ObjectLine): ReadonlyArray<Draft> => {
  const { attributes, object_id, object_type_id, relationships } = object
  const common = { type: "object", identifiers: { object_type_id, object_id } }
  const related = (visitors: boolean) =>
    chunks(
      relationships.flatMap(({ anonymous_id, attributes, email, id }) => {
        const isVisitor = id === null && email === null && anonymous_id !== null
        const identifiers = isVisitor ? { anonymous_id } : identifiersOf({ id, email })
        return identifiers === undefined || isVisitor !== visitors
          ? []
          : [{ identifiers, relationship_attributes: attributes }]
      }),
    )
  const identify = parts(attributes).map((part) => ({ ...common, action: "identify", attributes: part }))
  return [
    ...(identify.length === 0 ? [{ ...common, action: "identify" }] : identify),
    ...related(false).map((chunk) => ({ ...common, action: "add_relationships", svc_relationships: chunk })),
    ...related(true).map((chunk) => ({ ...common, action: "identify_anonymous", svc_relationships: chunk })),
  ].map(draftOf)
}

/** Splits attributes into groups that each fit into one entity. */
const parts = (attributes: Readonly<Record<string, Schema.Json>>): ReadonlyArray<Entity> => {
  const found: Array<Record<string, Schema.Json>> = []
  let room = 0
  for (const [name, value] of Object.entries(attributes)) {
    const bytes = Buffer.byteLength(JSON.stringify([name, value]))
    let part = found.at(-1)
    if (part === undefined || bytes > room) {
      part = {}
      found.push(part)
      room = attributeBytesMax
    }
    room -= bytes
    Object.defineProperty(part, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return found
}

const chunks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / relationshipsMax) }, (_, index) =>
    items.slice(index * relationshipsMax, (index + 1) * relationshipsMax),
  )
