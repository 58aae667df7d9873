import type { PersonNames, SegmentRecord } from "@inlethq/core/catalog/Catalog"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import { Effect, Option } from "effect"
import { answerLists, json, list, refuse } from "./AppAnswer.ts"
import type { AppCall, AppEndpoint } from "./AppCall.ts"
import { nextStart } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"
import {
  customerDocument,
  identifiersOf,
  preferencesDocument,
  relationshipDocument,
} from "./customerDocuments.ts"
import { customerFilter } from "./customerFilter.ts"
import { findCustomers } from "./findCustomers.ts"
import { idTypeOf, personCalled, personIn } from "./people.ts"

/** The people on a page of customers if the call gives no limit. */
const customersUsual = 50

/** The most people on a page of customers. */
const customersMax = 1000

/** The most people whose attributes one call returns. */
const attributesOfMax = 100

/** The relationships on a page if the call gives no limit. */
const relationshipsUsual = 50

/** The most relationships on a page. */
const relationshipsMax = 1000

/** The letters of cursors, by their lists. */
const peopleLetter = "p"
const relationshipsLetter = "r"

export const bodyObject = ({ body }: Pick<AppCall, "body">): JsonObject => (isJsonObject(body) ? body : {})

/** `GET /v1/customers?email=`: the people with an email, of whom there is at most one. */
export const customersByEmail: AppEndpoint = Effect.fn("app.customers.byEmail")(function* (call) {
  const { catalog, query, turns, workspace } = call
  const value = query.plain("email")
  if (value === undefined) return yield* refuse(400, appTexts.noEmail())
  const found = yield* catalog.personByIdentifier(workspace.id, { kind: "email", value })
  return yield* answerLists(turns, {
    results: list(Option.toArray(found), ({ person }) => identifiersOf(person)),
  })
})

/** Answers with the identifiers of people, and with their ids beside them, which are empty for people without one. */
export const answerIdentifiers = (
  call: Pick<AppCall, "turns">,
  people: ReadonlyArray<PersonNames>,
  others: Readonly<Record<string, JsonObject[string] | undefined>>,
) =>
  answerLists(
    call.turns,
    { identifiers: list(people, identifiersOf), ids: list(people, ({ id }) => id ?? "") },
    others,
  )

/** `POST /v1/customers`: the people for whom a filter holds. */
export const searchCustomers: AppEndpoint = Effect.fn("app.customers.search")(function* (call) {
  const limit = yield* call.query.limit(customersUsual, customersMax)
  const after = yield* call.query.startKey(peopleLetter)
  const rule = yield* customerFilter(bodyObject(call)["filter"], "filter")
  const { items, next } = yield* findCustomers(call, rule, { after, limit })
  return yield* answerIdentifiers(call, items, { next: nextStart(peopleLetter, next) })
})

export const customerAttributes: AppEndpoint = Effect.fn("app.customers.attributes")(function* (call) {
  return json(customerDocument(yield* personIn(call)))
})

/** `POST /v1/customers/attributes`: the people with these ids. Ids that nobody has are left out. */
export const attributesOfCustomers: AppEndpoint = Effect.fn("app.customers.attributesOf")(function* (call) {
  const type = yield* idTypeOf(call)
  const { ids } = bodyObject(call)
  const isList = Array.isArray(ids) && ids.length <= attributesOfMax
  const texts = isList
    ? ids.flatMap((id) => (typeof id === "string" || typeof id === "number" ? [String(id)] : []))
    : []
  if (!isList || texts.length < ids.length) {
    return yield* refuse(400, appTexts.wrongIds({ max: attributesOfMax }))
  }
  const found = yield* Effect.forEach([...new Set(texts)], (text) => personCalled(call, type, text))
  return yield* answerLists(call.turns, { customers: list(found.flatMap(Option.toArray), customerDocument) })
})

const segmentName = ({ segment }: SegmentRecord) => ({
  id: segment.key,
  name: segment.name,
  description: segment.description ?? "",
})

export const customerSegments: AppEndpoint = Effect.fn("app.customers.segments")(function* (call) {
  const { catalog, turns, workspace } = call
  const { segments } = yield* personIn(call)
  const records = yield* Effect.forEach(segments, (key) => catalog.segment(workspace.id, key))
  return yield* answerLists(turns, { segments: list(records.flatMap(Option.toArray), segmentName) })
})

export const customerRelationships: AppEndpoint = Effect.fn("app.customers.relationships")(function* (call) {
  const limit = yield* call.query.limit(relationshipsUsual, relationshipsMax)
  const after = yield* call.query.startKey(relationshipsLetter)
  const { relationships } = yield* personIn(call)
  const later = relationships
    .filter(({ object }) => after === null || object.key > after)
    .toSorted((a, b) => a.object.key - b.object.key)
  const items = later.slice(0, limit)
  const last = later.length > limit ? (items.at(-1)?.object.key ?? null) : null
  return yield* answerLists(
    call.turns,
    { cio_relationships: list(items, relationshipDocument) },
    { next: nextStart(relationshipsLetter, last) },
  )
})

export const customerPreferences: AppEndpoint = Effect.fn("app.customers.preferences")(function* (call) {
  return json(preferencesDocument(yield* personIn(call)))
})
