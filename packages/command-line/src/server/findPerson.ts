import { personQueries, prefixedSvcId } from "@inlethq/wire/operations/personQueries"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection } from "./Connection.ts"

/**
 * Finds the person whom an argument names, as `personQueries` reads it. Fails if the person does not exist, and says into
 * whom somebody with this identifier was merged.
 */
export const findPerson = Effect.fnUntraced(function* (name: string) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  for (const query of personQueries(name)) {
    const { items } = yield* client.people.list({ params: { w: workspace }, query })
    const [found] = items
    if (found !== undefined) return found
  }
  const remaining = yield* findRemaining(name)
  if (remaining === undefined)
    return yield* new CommandFailed({ message: cliTexts.personNotFound({ name, workspace }) })
  const { email, id, svc_id } = remaining
  const person = email ?? id ?? svc_id
  return yield* new CommandFailed({ message: cliTexts.personMerged({ name, person, svc_id, workspace }) })
})

/** Finds the person into whom somebody was merged who had an identifier, or returns undefined. */
export const findRemaining = Effect.fnUntraced(function* (name: string) {
  const { workspace: w } = yield* Connection
  const client = yield* ManagementClient
  const { items } = yield* client.search.find({ params: { w }, query: { q: name, kind: "person" } })
  for (const found of items) {
    if (found.kind === "person" && found.merged_svc_id !== null)
      return { ...found, merged_svc_id: found.merged_svc_id }
  }
  return undefined
})

/** Identifiers of an operation of the Track API v2. */
type Identifiers = { readonly [kind in "id" | "email" | "svc_id"]?: string }

/** Returns the identifiers of a person to suppress. The person need not exist. */
export const identifiersToSuppress = Effect.fnUntraced(function* (name: string) {
  return yield* findPerson(name).pipe(
    Effect.map(({ svc_id }): Identifiers => ({ svc_id })),
    Effect.catchTag("CommandFailed", () => identifiersIn(name)),
  )
})

/** Returns the identifiers under which a person is suppressed. */
export const suppressedIdentifiers = Effect.fnUntraced(function* (name: string) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { suppressed } = yield* client.suppressions.get({ params: { w: workspace }, query: { id: name } })
  const byId: Identifiers = { id: name }
  return suppressed ? byId : yield* identifiersIn(name)
})

/** Reads a name as the Track API does: as `svc_…`, as an email if the workspace has emails, or else as an id. */
const identifiersIn = Effect.fnUntraced(function* (name: string) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { identifiers } = yield* client.workspaces.get({ params: { w: workspace } })
  const kind = name.includes("@") && identifiers.includes("email") ? "email" : "id"
  const found: Identifiers = { [prefixedSvcId(name) === undefined ? kind : "svc_id"]: name }
  return found
})
