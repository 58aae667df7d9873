import type { PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Identifier } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option } from "effect"
import { defaultBrand, unprefixed } from "@inlethq/wire/decoding/Brand"
import { personKeyOf } from "../management/answers/lookup.ts"
import { type AppRefused, refuse } from "./AppAnswer.ts"
import type { AppCall } from "./AppCall.ts"
import { quoted } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"

const idTypes = ["id", "email", "cio_id"] as const
export type IdType = (typeof idTypes)[number]

/** Reads `id_type`. A kind that the workspace does not identify people by is refused, as in the hosted service. */
export const idTypeOf = Effect.fnUntraced(function* ({
  query,
  workspace,
}: Pick<AppCall, "query" | "workspace">): Effect.fn.Return<IdType, AppRefused> {
  const given = query.text("id_type")
  if (given === undefined) return "id"
  const found = [...idTypes, "svc_id" as const].find((type) => type === given)
  if (found === undefined) return yield* refuse(400, appTexts.wrongIdType({ types: quoted(idTypes) }))
  if (found === "cio_id" || found === "svc_id") return "cio_id"
  return isIdentified(workspace, found) ? found : yield* refuse(400, appTexts.notIdentified({ kind: found }))
})

const isIdentified = ({ identifiers }: Workspace, kind: "id" | "email"): boolean => identifiers[kind]

/** Finds the person whom a text names. */
export const personCalled = (
  { catalog, workspace }: Pick<AppCall, "catalog" | "workspace">,
  type: IdType,
  text: string,
): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable> => {
  if (text === "") return Effect.succeedNone
  if (type === "cio_id") {
    const key = personKeyOf(workspace.id, text)
    return key === undefined ? Effect.succeedNone : catalog.person(workspace.id, key)
  }
  const identifier: Identifier = { kind: type, value: text }
  return Effect.flatMap(catalog.personByIdentifier(workspace.id, identifier), (found) =>
    // A text with the prefix of a `cio_id` is one, wherever an identifier is expected.
    Option.isSome(found) || unprefixed(defaultBrand, text) === undefined
      ? Effect.succeed(found)
      : personCalled({ catalog, workspace }, "cio_id", text),
  )
}

/** Returns the person in the path of a call, or refuses with a 404. */
export const personIn = Effect.fnUntraced(function* (
  call: AppCall,
): Effect.fn.Return<PersonRecord, AppRefused | StoreUnavailable> {
  const found = yield* personCalled(call, yield* idTypeOf(call), call.parameters[0] ?? "")
  return Option.isSome(found) ? found.value : yield* refuse(404, appTexts.notFound({ thing: "customer" }))
})
