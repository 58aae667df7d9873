import type { Catalog, PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option } from "effect"
import { personKeyOf } from "../answers/lookup.ts"

/**
 * Lists people: all of them, or those with an id, an email or a name that begins with `text`. Those whose identifier is
 * the text come first, and are left out of their places on this and the following pages.
 */
export const listPeople = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  text: string | undefined,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<Page<PersonRecord, SubjectKey>, StoreUnavailable> {
  if (text === undefined || text === "") return yield* catalog.people(workspace, null, page)
  const exact = (yield* exactly(catalog, workspace, text)).slice(0, page.limit)
  // No cursor is before the oldest person, so a page that the exact matches would fill keeps the order of creation.
  if (page.order === "asc" && exact.length === page.limit) return yield* catalog.people(workspace, text, page)
  const keys = new Set(exact.map(({ person }) => person.key))
  const first = page.after === null ? exact : []
  const left = page.limit - first.length
  if (left === 0) return { items: first, next: beforeNewest }
  const rest = yield* catalog.people(workspace, text, { ...page, limit: left })
  const others = rest.items.filter(({ person }) => !keys.has(person.key))
  return { items: [...first, ...others], next: rest.next }
})

/** The cursor of a page, newest first, that begins with the newest person: the largest that a cursor can hold. */
const beforeNewest = SubjectKey.make(999_999_999_999_999)

/** Finds the people of whom a text is the id, the email, an anonymous id or the svc_id, each once. */
const exactly = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  text: string,
): Effect.fn.Return<ReadonlyArray<PersonRecord>, StoreUnavailable> {
  const key = personKeyOf(workspace, text)
  const found = yield* Effect.all([
    catalog.personByIdentifier(workspace, { kind: "id", value: text }),
    catalog.personByIdentifier(workspace, { kind: "email", value: text }),
    catalog.personByIdentifier(workspace, { kind: "anonymous_id", value: text }),
    key === undefined ? Effect.succeedNone : catalog.person(workspace, key),
  ])
  const byKey = new Map(found.flatMap(Option.toArray).map((record) => [record.person.key, record]))
  return [...byKey.values()]
})
