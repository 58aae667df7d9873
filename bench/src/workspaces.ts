import { authorization, authorizationOf, managementToken } from "./credentials.ts"
import type { Server } from "./Server.ts"

/** Returns the credentials of `count` workspaces. The first is the workspace of the server, and the others are new. */
export const addWorkspaces = async (server: Server, count: number): Promise<ReadonlyArray<string>> => {
  const authorizations = [authorization]
  while (authorizations.length < count) authorizations.push(await addWorkspace(server))
  return authorizations
}

const addWorkspace = async (server: Server): Promise<string> => {
  const { environment_id: workspace } = await post(server, "/workspaces", { name: "bench" })
  const key = await post(server, `/workspaces/${String(workspace)}/keys`, { kind: "track", name: "bench" })
  return authorizationOf(String(key["site_id"]), String(key["api_key"]))
}

const post = async (
  server: Server,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/management/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${managementToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${path} was answered ${answer.status}: ${text}`)
  const document: Readonly<Record<string, unknown>> = JSON.parse(text)
  return document
}
