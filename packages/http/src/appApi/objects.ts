import type { ObjectRecord, RelatedRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { meetsAll } from "@inlethq/core/rule/evaluateLeaf"
import { objectFields } from "@inlethq/core/rule/fields"
import type { Rule } from "@inlethq/core/rule/Rule"
import type { DataObject } from "@inlethq/core/state/DataObject"
import { svcObjectIdKey, svcObjectIdText, type SubjectKey } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { defaultBrand, unprefixed } from "@inlethq/wire/decoding/Brand"
import { Clock, Effect, Option } from "effect"
import { readingOf } from "../management/segments/readTried.ts"
import { type AppRefused, answerLists, json, list, refuse } from "./AppAnswer.ts"
import { answerMsMax, scanMs, type AppCall, type AppEndpoint } from "./AppCall.ts"
import { nextStart, quoted } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"
import { identifiersOf, valuesAndTimes } from "./customerDocuments.ts"
import { objectFilter } from "./customerFilter.ts"
import { bodyObject } from "./customers.ts"
import { tooSlow } from "./findCustomers.ts"

/** The objects or relationships on a page if the call gives no limit. */
const objectsUsual = 50

/** The most objects or relationships on a page. */
const objectsMax = 1000

/** The objects in one read of a scan. */
const objectsPerRead = 500

const objectsLetter = "o"
const relatedLetter = "q"

const idTypes = ["object_id", "cio_object_id"] as const

const typeDocument = (id: string) => ({
  id,
  name: id,
  singular_name: id,
  slug: id,
  singular_slug: id,
  enabled: true,
  icon: "",
})

/** `GET /v1/object_types`: the types of the objects that there are. Inlet has no names of types. */
export const listObjectTypes: AppEndpoint = Effect.fn("app.objects.types")(function* ({
  catalog,
  turns,
  workspace,
}) {
  const types = yield* catalog.objectTypes(workspace.id)
  return yield* answerLists(turns, { types: list(types, typeDocument) })
})

const objectIdentifiers = (object: DataObject) => ({
  cio_object_id: svcObjectIdText(object.workspace, object.key),
  object_id: object.objectId,
})

/** `POST /v1/objects`: the objects of a type for which a filter holds, in the order of their keys. */
export const findObjects: AppEndpoint = Effect.fn("app.objects.find")(function* (call) {
  const { filter, object_type_id } = bodyObject(call)
  if (typeof object_type_id !== "string" && typeof object_type_id !== "number") {
    return yield* refuse(400, appTexts.noTypeId())
  }
  const { items, next } = yield* readObjects(call, String(object_type_id), filter)
  const objects = items.map(({ object }) => object)
  const lists = {
    identifiers: list(objects, objectIdentifiers),
    ids: list(objects, ({ objectId }) => objectId),
  }
  return yield* answerLists(call.turns, lists, { next: nextStart(objectsLetter, next) })
})

const readObjects = Effect.fnUntraced(function* (
  { catalog, query, turns, workspace }: AppCall,
  typeId: string,
  filter: JsonObject[string] | undefined,
): Effect.fn.Return<Page<ObjectRecord, SubjectKey>, AppRefused | StoreUnavailable> {
  const limit = yield* query.limit(objectsUsual, objectsMax)
  const rule = yield* objectFilter(filter, "filter", typeId)
  const now = yield* Clock.currentTimeMillis
  const items: Array<ObjectRecord> = []
  for (let after = yield* query.startKey(objectsLetter); ;) {
    const page = yield* catalog.objects(workspace.id, typeId, { after, limit: objectsPerRead, order: "asc" })
    const isFull = yield* turns.work(function* () {
      for (const record of page.items) {
        if (holdsFor(rule, record.object, now)) {
          if (items.length === limit) return true
          items.push(record)
        }
        yield
      }
      return false
    })
    if (isFull) return { items, next: items.at(-1)?.object.key ?? null }
    if (page.next === null) return { items, next: null }
    after = page.next
    const elapsed = (yield* Clock.currentTimeMillis) - now
    if (elapsed >= scanMs && items.length > 0) return { items, next: after }
    if (elapsed >= answerMsMax) return yield* tooSlow
  }
})

/** Returns whether a filter holds for an object. Filters of objects have no leaves but attributes. */
const holdsFor = (rule: Rule, object: DataObject, now: EpochMillis): boolean => {
  const holds = (part: Rule): boolean => holdsFor(part, object, now)
  if (rule._tag === "And") return rule.rules.every(holds)
  if (rule._tag === "Or") return rule.rules.some(holds)
  if (rule._tag === "Not") return !holds(rule.rule)
  return rule._tag === "HasAttribute" && meetsAll([rule.condition], objectFields(object), now)
}

/** Returns the object in the path, or refuses with a 404. */
const objectIn = Effect.fnUntraced(function* ({
  catalog,
  parameters,
  query,
  store,
  workspace,
}: AppCall): Effect.fn.Return<ObjectRecord, AppRefused | StoreUnavailable> {
  const [typeId = "", text = ""] = parameters
  const given = query.text("id_type") ?? "object_id"
  if (given === "object_id") {
    const found = yield* catalog.object(workspace.id, typeId, text)
    if (Option.isSome(found)) return found.value
  } else if (given !== "cio_object_id" && given !== "svc_object_id") {
    return yield* refuse(400, appTexts.wrongIdType({ types: quoted(idTypes) }))
  }
  const key = svcObjectIdKey(workspace.id, unprefixed(defaultBrand, text) ?? text)
  const { subjects } = yield* store.view(readingOf(workspace.id, new Set(key === undefined ? [] : [key])))
  const object = key === undefined ? undefined : subjects.get(key)
  const found =
    object?._tag === "DataObject" && object.typeId === typeId
      ? yield* catalog.object(workspace.id, typeId, object.objectId)
      : Option.none()
  return Option.isSome(found) ? found.value : yield* refuse(404, appTexts.notFound({ thing: "object" }))
})

export const objectAttributes: AppEndpoint = Effect.fn("app.objects.attributes")(function* (call) {
  const { object } = yield* objectIn(call)
  return json({
    object: {
      ...valuesAndTimes(object.attributes),
      identifiers: objectIdentifiers(object),
      object_type_id: object.typeId,
    },
  })
})

/** `GET …/relationships`: the people related to an object. Visitors, who are nobody yet, are left out. */
export const objectRelationships: AppEndpoint = Effect.fn("app.objects.relationships")(function* (call) {
  const { catalog, query, turns, workspace } = call
  const limit = yield* query.limit(objectsUsual, objectsMax)
  let after = yield* query.startKey(relatedLetter)
  const { object } = yield* objectIn(call)
  const items: Array<RelatedRecord> = []
  do {
    const page = yield* catalog.related(workspace.id, object.key, {
      after,
      limit: limit - items.length,
      order: "asc",
    })
    items.push(...page.items.filter(({ subject }) => subject._tag === "Person"))
    after = page.next
  } while (after !== null && items.length < limit)
  const document = ({ attributes, subject }: RelatedRecord) => ({
    identifiers: subject._tag === "Person" ? identifiersOf(subject) : {},
    object_type_id: object.typeId,
    object_type_disabled: false,
    ...valuesAndTimes(attributes),
  })
  const lists = { cio_relationships: list(items, document) }
  return yield* answerLists(turns, lists, { next: nextStart(relatedLetter, after) })
})
