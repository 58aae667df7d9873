import type { ObjectDocument } from "@inlethq/contract/objects/Objects"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { Effect } from "effect"
import {
  fieldDifferences,
  objectFields,
  onlyHere,
  onlyThere,
  personFields,
  type Difference,
} from "./differences.ts"
import type { Side } from "./Side.ts"

type Found<E, R> = (differences: ReadonlyArray<Difference>) => Effect.Effect<void, E, R>

/** How to compare one kind of item of two workspaces. */
interface Matching<Item, E, R> {
  readonly here: Effect.Effect<Item | null, E, R>
  readonly there: Effect.Effect<Item | null, E, R>
  /** Whether two items are the same one, as far as their identifiers tell. */
  readonly isSame: (here: Item, there: Item) => boolean
  readonly findHere: (item: Item) => Effect.Effect<Item | null, E, R>
  readonly findThere: (item: Item) => Effect.Effect<Item | null, E, R>
  readonly of: (item: Item) => Pick<Difference, "kind" | "id">
  readonly compare: (here: Item, there: Item) => Effect.Effect<ReadonlyArray<Difference>, E, R>
}

/**
 * Compares two workspaces, and reports what differs as soon as it is found. Keeps one page of each workspace in memory. Items
 * that were created in the same order are compared as they are read, and the others are looked up.
 */
export const compareWorkspaces = Effect.fnUntraced(function* <E, R>(
  here: Side,
  there: Side,
  report: Found<E, R>,
) {
  const names = { here: yield* here.segmentNames(), there: yield* there.segmentNames() }
  yield* report(segmentDifferences([...names.here.values()], [...names.there.values()]))
  yield* compareAll(
    {
      here: here.people(),
      there: there.people(),
      isSame: isSamePerson,
      findHere: (person) => here.counterpart(person),
      findThere: (person) => there.counterpart(person),
      of: ofPerson,
      compare: Effect.fnUntraced(function* (one, other) {
        const [mine, theirs] = [yield* here.whole(one), yield* there.whole(other)]
        return fieldDifferences(
          ofPerson(mine),
          personFields(mine, names.here),
          personFields(theirs, names.there),
        )
      }),
    },
    report,
  )
  yield* compareAll(
    {
      here: here.objects(),
      there: there.objects(),
      isSame: (one, other) => ofObject(one).id === ofObject(other).id,
      findHere: (object) => here.sameObject(object),
      findThere: (object) => there.sameObject(object),
      of: ofObject,
      compare: (one, other) =>
        Effect.succeed(fieldDifferences(ofObject(one), objectFields(one), objectFields(other))),
    },
    report,
  )
})

const compareAll = Effect.fnUntraced(function* <Item, E, R, E2, R2>(
  { compare, findHere, findThere, here, isSame, of, there }: Matching<Item, E, R>,
  report: Found<E2, R2>,
) {
  for (;;) {
    const one = yield* here
    const other = yield* there
    if (one === null && other === null) return
    if (one !== null && other !== null && isSame(one, other)) {
      yield* report(yield* compare(one, other))
      continue
    }
    if (one !== null) {
      const match = yield* findThere(one)
      yield* report(match === null ? [onlyHere(of(one))] : yield* compare(one, match))
    }
    // Somebody who is in both was or will be compared when they are read here.
    if (other !== null && (yield* findHere(other)) === null) yield* report([onlyThere(of(other))])
  }
})

const ofPerson = ({ email, id, svc_id }: PersonDocument) =>
  ({ kind: "person", id: id ?? email ?? svc_id }) as const

const ofObject = ({ object_id, object_type_id }: ObjectDocument) =>
  ({ kind: "object", id: `${object_type_id}/${object_id}` }) as const

const isSamePerson = (one: PersonDocument, other: PersonDocument): boolean =>
  one.id === null && other.id === null
    ? one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase()
    : one.id === other.id

/** Compares segments by name. Several of one name count one by one. */
const segmentDifferences = (
  here: ReadonlyArray<string>,
  there: ReadonlyArray<string>,
): ReadonlyArray<Difference> => {
  const left = [...there]
  const mine = here.filter((name) => {
    const at = left.indexOf(name)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...mine.map((id) => onlyHere({ kind: "segment", id })),
    ...left.map((id) => onlyThere({ kind: "segment", id })),
  ]
}
