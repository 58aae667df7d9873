import { credentials } from "./Inlet.ts"
import { send, type RunningServer } from "./http.ts"

const kinds = ["people", "events", "objects", "segments", "deliveries", "activity"] as const

/** Returns the lines of all exports of the given workspaces. */
export const exportsOf = async (
  server: RunningServer,
  workspaces: ReadonlyArray<number>,
): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const workspace of workspaces) {
    for (const kind of kinds) {
      const { status, text } = await send(server.url, {
        method: "GET",
        path: `/management/v1/workspaces/${workspace}/export/${kind}`,
        headers: { authorization: `Bearer ${credentials.token}` },
      })
      if (status !== 200) throw new Error(`export of ${kind}: ${status} ${text}`)
      found[`${workspace} ${kind}`] = text.split("\n")
    }
  }
  return found
}
