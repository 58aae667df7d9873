import type { ObjectDocument } from "@inlethq/contract/objects/Objects"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { relatedListedMax } from "@inlethq/core/catalog/Catalog"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"

/** The number of people or objects that are read at a time. */
const pageItems = 100

type Query = { readonly id: string } | { readonly email: string } | { readonly anonymous_id: string }

/** One of two workspaces that are compared. */
export class Side {
  private readonly client: ManagementClient["Service"]
  private readonly workspace: WorkspaceId

  constructor(client: ManagementClient["Service"], workspace: WorkspaceId) {
    this.client = client
    this.workspace = workspace
  }

  /** Returns a reader of all people, in the order of their creation. */
  people() {
    const { client, workspace } = this
    return pages((after: SubjectKey | null) =>
      client.people.list({ params: { w: workspace }, query: pageAfter(after) }),
    )
  }

  /** Returns a reader of all objects, in the order of their creation. */
  objects() {
    const { client, workspace } = this
    return pages((after: SubjectKey | null) =>
      client.objects.list({ params: { w: workspace }, query: pageAfter(after) }),
    )
  }

  /** Finds the person who has the `id` of a person of another workspace, or else the email or the first anonymous id. */
  counterpart({ anonymous_ids: [anonymousId], email, id }: PersonDocument) {
    const queries: ReadonlyArray<Query> = [
      ...(id === null ? [] : [{ id }]),
      ...(email === null ? [] : [{ email }]),
      ...(anonymousId === undefined ? [] : [{ anonymous_id: anonymousId }]),
    ]
    const { client, workspace } = this
    return Effect.gen(function* () {
      for (const query of queries) {
        const { items } = yield* client.people.list({ params: { w: workspace }, query })
        if (items[0] !== undefined) return items[0]
      }
      return null
    })
  }

  sameObject({ object_id, object_type_id }: ObjectDocument) {
    const params = { w: this.workspace, object_type_id, object_id }
    return this.client.objects.get({ params, query: {} }).pipe(
      // The number of people is known of every object that is there.
      Effect.map((found): ObjectDocument | null => ({ ...found, people_total: found.people_total ?? 0 })),
      Effect.catchTag(["NotFound", "Gone"], () => Effect.succeed(null)),
    )
  }

  /** Returns a person with all relationships. A list shows only the first of somebody who has many. */
  whole(person: PersonDocument) {
    if (person.relationships.length < relatedListedMax) return Effect.succeed(person)
    const params = { w: this.workspace, svc_id: person.svc_id }
    return this.client.people.get({ params, query: {} })
  }

  /** Returns the names of the segments by their ids. */
  segmentNames() {
    const { client, workspace } = this
    return Effect.gen(function* () {
      const names = new Map<number, string>()
      const next = pages((after: SubjectKey | null) =>
        client.segments.list({ params: { w: workspace }, query: pageAfter(after) }),
      )
      for (let one = yield* next; one !== null; one = yield* next) names.set(one.segment_id, one.name)
      return names
    })
  }
}

const pageAfter = (after: SubjectKey | null) => ({
  limit: pageItems,
  order: "asc" as const,
  ...(after !== null && { after }),
})

/** Returns an effect that returns the next item of a list each time it runs, and null after the last one. */
const pages = <Item, E, R>(
  read: (
    after: SubjectKey | null,
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Item>; readonly next: SubjectKey | null }, E, R>,
): Effect.Effect<Item | null, E, R> => {
  let items: ReadonlyArray<Item> = []
  let at = 0
  let after: SubjectKey | null = null
  let isLast = false
  return Effect.gen(function* () {
    while (at === items.length && !isLast) {
      const page = yield* read(after)
      items = page.items
      at = 0
      after = page.next
      isLast = page.next === null
    }
    return items[at++] ?? null
  })
}
