import type { Catalog, PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { patchPerson, type Person } from "@inlethq/core/state/Person"
import { SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect, Random } from "effect"

/** Where people are read from. */
export interface PeopleReader {
  readonly catalog: Catalog["Service"]
  readonly workspace: WorkspaceId
}

/** People to try a rule on, some at a time. */
export interface TriedPeople {
  /** Reads at most `limit` more people; null if there are no more. */
  next(limit: number): Effect.Effect<ReadonlyArray<Person> | null, StoreUnavailable>
  /** Whether all people of the workspace have been read. */
  readonly isWhole: boolean
}

type People = Page<Pick<PersonRecord, "person" | "segments">, SubjectKey>

const read = ({ catalog, workspace }: PeopleReader, limit: number, after: SubjectKey | null) => {
  const page: Effect.Effect<People, StoreUnavailable> = catalog.people(workspace, null, {
    limit,
    after,
    order: "desc",
  })
  return Effect.map(page, ({ items, next }) => ({
    people: items.map(({ person, segments }) => patchPerson(person, { segments })),
    next,
  }))
}

/** Reads all people, newest first. */
export const newestFirst = (reader: PeopleReader): TriedPeople => {
  const state: { after: SubjectKey | null; isWhole: boolean } = { after: null, isWhole: false }
  return {
    next: Effect.fnUntraced(function* (limit) {
      if (state.isWhole) return null
      const { next, people } = yield* read(reader, limit, state.after)
      state.after = next
      state.isWhole = next === null
      return people
    }),
    get isWhole() {
      return state.isWhole
    },
  }
}

/** A range of keys. */
interface Place {
  readonly from: number
  readonly to: number
}

/**
 * Reads a few people from each of many places among the keys up to `last`, in any order, so that they stand for all people. People
 * of one time are often alike.
 */
export const fromManyPlaces = (
  reader: PeopleReader,
  last: number,
  { peoplePerPlace, places }: { readonly places: number; readonly peoplePerPlace: number },
): Effect.Effect<TriedPeople> =>
  Effect.gen(function* () {
    const width = Math.ceil(last / places)
    const waiting = yield* Random.shuffle(
      Array.from({ length: Math.ceil(last / width) }, (_, i): Place => ({
        from: i * width + 1,
        to: Math.min(last, (i + 1) * width),
      })),
    )
    let isPartial = false
    return {
      next: Effect.fnUntraced(function* (limit) {
        const place = waiting.pop()
        if (place === undefined) return null
        const wanted = Math.min(limit, peoplePerPlace)
        const start = yield* Random.nextIntBetween(place.from, place.to)
        const below = yield* within(reader, { from: place.from, to: start }, wanted)
        const left = wanted - below.people.length
        // The place goes on at its upper end, so that everybody in it is as likely to be read.
        const above = left === 0 ? nobody : yield* within(reader, { from: start + 1, to: place.to }, left)
        if (!(below.isWhole && above.isWhole)) isPartial = true
        return [...below.people, ...above.people]
      }),
      get isWhole() {
        return !isPartial && waiting.length === 0
      },
    }
  })

const nobody = { people: [], isWhole: false } as const

/** Reads people whose keys are in a range. Says whether there are no others in it. */
const within = (reader: PeopleReader, { from, to }: Place, limit: number) =>
  Effect.map(read(reader, limit, SubjectKey.make(to + 1)), ({ next, people }) => {
    const inside = people.filter(({ key }) => key >= from)
    return { people: inside, isWhole: next === null || inside.length < people.length }
  })
