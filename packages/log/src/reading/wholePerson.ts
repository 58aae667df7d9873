import { Effect, Option } from "effect"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Catalog, PersonRecord } from "@inlethq/core/catalog/Catalog"

/**
 * Returns a person with all related objects. Lists of people leave out some related objects of a person with very many
 * of them, so such a person is read again.
 */
export const wholePerson = (
  catalog: Pick<Catalog["Service"], "person">,
  listed: PersonRecord,
): Effect.Effect<PersonRecord, StoreUnavailable> => {
  const { person, relationships } = listed
  return relationships.length === person.relationships.size
    ? Effect.succeed(listed)
    : Effect.map(
        catalog.person(person.workspace, person.key),
        Option.getOrElse(() => listed),
      )
}
