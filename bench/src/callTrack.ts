import { authorization } from "./credentials.ts"
import type { Server } from "./Server.ts"

/** Sends a Track v1 request. Returns the milliseconds until the answer. */
export const callTrack = async (
  server: Server,
  method: string,
  path: string,
  body: object,
): Promise<number> => {
  const from = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
    method,
    headers: { authorization },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${method} ${path}: expected 200, got ${answer.status}`)
  return performance.now() - from
}
