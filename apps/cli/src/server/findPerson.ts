import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect } from "effect"
import { cliTexts } from "../cliTexts.ts"
import { Connection } from "./Connection.ts"
import { CommandFailed } from "./onServer.ts"

const prefixedSvcId = /^(?:svc|cio)_(p[0-9a-z]+)$/
const svcId = /^p[0-9a-z]{9,}$/

/**
 * Finds a person by an argument. `svc_…` is the permanent id. Any other text is tried as id, email, `svc_id` without
 * prefix, and anonymous id, in this order. Fails if the person does not exist.
 */
export const findPerson = Effect.fnUntraced(function* (name: string) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  for (const query of queriesFor(name)) {
    const { items } = yield* client.people.list({ params: { w: workspace }, query })
    const [found] = items
    if (found !== undefined) return found
  }
  return yield* new CommandFailed({ message: cliTexts.personNotFound({ name }) })
})

type NameQuery = Partial<Record<"id" | "email" | "svc_id" | "anonymous_id", string>>

const queriesFor = (name: string): ReadonlyArray<NameQuery> => {
  const [, prefixed] = prefixedSvcId.exec(name) ?? []
  if (prefixed !== undefined) return [{ svc_id: prefixed }, { id: name }]
  return [
    { id: name },
    ...(name.includes("@") ? [{ email: name }] : []),
    ...(svcId.test(name) ? [{ svc_id: name }] : []),
    { anonymous_id: name },
  ]
}
