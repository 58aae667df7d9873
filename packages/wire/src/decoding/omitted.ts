import type { Command } from "@inlethq/core/Command"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { changeItems, changeKey, levelsMax, maskOf, Omitting } from "./Omitting.ts"
import { eventFields } from "./trackEvent.ts"

/** A call without what its workspace omits, and the paths at which something was left out. */
export interface Rest<A> {
  readonly rest: A
  readonly omitted: ReadonlyArray<string>
}

const nothing: ReadonlyArray<string> = []

/** Takes out of a value what a workspace omits. `sort` leaves it out of the places where such a value can have it. */
const takeOut = <A>(
  workspace: Pick<Workspace, "omit">,
  value: A,
  sort: (omitting: Omitting, object: JsonObject) => JsonObject,
): Rest<A | JsonObject> => {
  const mask = maskOf(workspace)
  if (mask === undefined || !isJsonObject(value)) return { rest: value, omitted: nothing }
  const omitting = new Omitting(mask)
  const rest = sort(omitting, value)
  return { rest, omitted: omitting.found.size === 0 ? nothing : [...omitting.found] }
}

/** Names in a command what was left out of its call. */
export const withOmitted = <C extends Command>(command: C, omitted: ReadonlyArray<string>): C => {
  if (omitted.length === 0) return command
  const { provenance } = command
  const all = [...new Set([...(provenance?.omitted ?? nothing), ...omitted])]
  return { ...command, provenance: { ...provenance, omitted: all } }
}

/** Returns the path by which a column of a CSV file is left out, or null if it is read. */
export const omittedColumn = (
  workspace: Pick<Workspace, "omit">,
  roots: ReadonlyArray<"properties" | "traits">,
  column: string,
): string | null => {
  const mask = maskOf(workspace)
  if (mask === undefined) return null
  const omitting = new Omitting(mask)
  for (const root of roots) omitting[root](Object.fromEntries([[column, ""]]))
  const [path = null] = omitting.found
  return path
}

/** Takes what a workspace omits out of a call of the Pipelines API, or the rest of its batch. */
export const restOfPipelines = <A>(workspace: Pick<Workspace, "omit">, body: A) =>
  takeOut(workspace, body, pipelinesPlaces)

const pipelinesPlaces = (omitting: Omitting, body: JsonObject): JsonObject => {
  let rest = changeKey(viewName(omitting, body), "context", (context) => contextPlaces(omitting, context))
  rest = changeKey(rest, "properties", (properties) => omitting.properties(properties))
  return changeKey(rest, "traits", (traits) => traitPlaces(omitting, traits))
}

/** The name of a view may be the URL of its page. */
const viewName = (omitting: Omitting, body: JsonObject): JsonObject =>
  changeKey(body, "name", (name) =>
    typeof name === "string" && /^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(name)
      ? omitting.url(name, "name")
      : name,
  )

/** Takes what a workspace omits out of a context. */
export const restOfContext = <A extends JsonObject | undefined>(
  workspace: Pick<Workspace, "omit">,
  context: A,
) => takeOut(workspace, context, (omitting, object) => orObject(contextPlaces(omitting, object), object))

const contextPlaces = (omitting: Omitting, context: Json): Json => {
  const rest = omitting.context(context)
  return isJsonObject(rest) ? changeKey(rest, "traits", (traits) => omitting.traits(traits)) : rest
}

/** Attributes in traits: of the object of a group, and of a relationship. */
const nestedTraits = [
  "objectAttributes",
  "relationship_traits",
  "relationshipAttributes",
  "relationship_attributes",
] as const

const traitPlaces = (omitting: Omitting, traits: Json): Json => {
  const rest = omitting.traits(traits)
  return isJsonObject(rest)
    ? nestedTraits.reduce((object, key) => changeKey(object, key, (nested) => omitting.traits(nested)), rest)
    : rest
}

/** Returns whether a workspace omits something of a value that stood at a path, whose keys are joined by dots, in any call. */
export const omitsValue = (workspace: Pick<Workspace, "omit">, path: string, value: Json): boolean => {
  if (maskOf(workspace) === undefined) return false
  const keys = path.split(".").filter((key) => !/^\d+$/.test(key))
  const call = keys.reduceRight((below: Json, key): Json => Object.fromEntries([[key, below]]), value)
  return restOfUnknown(workspace, call).omitted.length > 0
}

/** Takes what a workspace omits out of a call of the Track API v1. */
export const restOfTrackV1 = <A>(workspace: Pick<Workspace, "omit">, kind: ActivityKind | null, body: A) =>
  takeOut(workspace, body, (omitting, object) =>
    kind === "identify"
      ? relationshipPlaces(omitting, orObject(omitting.traits(object), object))
      : trackPlaces(omitting, object, {
          fields: kind === "event" || kind === "anonymous_event" ? eventFields.v1 : null,
          isForm: kind === "form_submission",
        }),
  )

/** Takes what a workspace omits out of an entity of the Track API v2. */
export const restOfEntity = <A>(workspace: Pick<Workspace, "omit">, item: A) =>
  takeOut(workspace, item, (omitting, object) =>
    trackPlaces(omitting, object, {
      fields: withoutData.has(object["action"] ?? null) ? null : eventFields.v2,
      isForm: false,
    }),
  )

/** The actions of entities whose attributes are not the data of an event. Any other action may be one. */
const withoutData: ReadonlySet<Json> = new Set<Json>([
  "identify",
  "identify_anonymous",
  "delete",
  "add_relationships",
  "delete_relationships",
  "add_device",
  "delete_device",
  "merge",
  "suppress",
  "unsuppress",
])

/**
 * Takes what a workspace omits out of a body of which it is not known what it asks for, so that it is only kept as it was
 * sent.
 */
export const restOfUnknown = <A>(workspace: Pick<Workspace, "omit">, body: A) =>
  takeOut(workspace, body, (omitting, object) => unknownPlaces(omitting, object, levelsMax))

/** A batch within a batch is no call of any API, but it may be sent. It has two levels: the list and its item. */
const unknownPlaces = (omitting: Omitting, body: JsonObject, levels: number): JsonObject => {
  const known = trackPlaces(omitting, pipelinesPlaces(omitting, body), {
    fields: eventFields.v1,
    isForm: true,
  })
  const rest = orObject(omitting.traits(known), known)
  if (levels <= 0) return rest
  return changeKey(rest, "batch", (batch) =>
    changeItems(batch, (item) => (isJsonObject(item) ? unknownPlaces(omitting, item, levels - 2) : item)),
  )
}

interface TrackBody {
  /** The fields of an event. Any others are its data (contract §8 *flat events*). Null if the body is no event. */
  readonly fields: ReadonlySet<string> | null
  /** The data become attributes. */
  readonly isForm: boolean
}

const trackPlaces = (omitting: Omitting, body: JsonObject, { fields, isForm }: TrackBody): JsonObject => {
  let rest = relationshipPlaces(omitting, body)
  rest = changeKey(rest, "attributes", (attributes) => {
    const data = fields !== null ? omitting.properties(attributes) : attributes
    const own = omitting.traits(data)
    return isJsonObject(own) ? relationshipPlaces(omitting, own) : own
  })
  rest = changeKey(rest, "data", (data) => {
    const own = omitting.properties(data)
    return isForm ? omitting.traits(own) : own
  })
  rest = changeKey(rest, "device", (device) => {
    const own = omitting.traits(device, deviceFields)
    return isJsonObject(own) ? changeKey(own, "attributes", (attributes) => omitting.traits(attributes)) : own
  })
  return fields === null ? rest : orObject(omitting.properties(viewName(omitting, rest), fields), rest)
}

/** Fields of a device that are no attributes. */
const deviceFields: ReadonlySet<string> = new Set(["id", "token", "platform", "last_used", "attributes"])

/** Takes what a workspace omits out of the attributes of relationships, which are a list, or stand in an object with an action. */
const relationshipPlaces = (omitting: Omitting, holder: JsonObject): JsonObject =>
  ["svc_relationships", "cio_relationships"].reduce(
    (object, key) =>
      changeKey(object, key, (given) =>
        isJsonObject(given)
          ? changeKey(given, "relationships", (list) => relationshipList(omitting, list))
          : relationshipList(omitting, given),
      ),
    holder,
  )

const relationshipList = (omitting: Omitting, list: Json): Json =>
  changeItems(list, (entry) =>
    isJsonObject(entry)
      ? changeKey(entry, "relationship_attributes", (attributes) => omitting.traits(attributes))
      : entry,
  )

const orObject = (value: Json, otherwise: JsonObject): JsonObject => (isJsonObject(value) ? value : otherwise)
