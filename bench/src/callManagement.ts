import { managementToken } from "./credentials.ts"
import type { Server } from "./Server.ts"

/** Calls the management API about workspace 1, and returns the answer as text. Throws if the call fails. */
export const callManagement = async (
  server: Server,
  method: string,
  path: string,
  body?: object,
): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/management/v1/workspaces/1${path}`, {
    method,
    headers: { authorization: `Bearer ${managementToken}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text
}
