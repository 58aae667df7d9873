import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import type { Launched } from "./Launched.ts"

/** Returns the sign-in link that the first start of a server has stored in its data directory. Throws if the server exits. */
export const signInLink = (server: Launched, dataDir: string): Promise<string> =>
  eventually("the sign-in link is stored", () => {
    const file = join(dataDir, "first-start-keys")
    const link = existsSync(file)
      ? /http\S+\/console\/#login=\w+/.exec(readFileSync(file, "utf8"))?.[0]
      : undefined
    if (link === undefined && server.exited !== undefined) throw new Error(server.output.join("\n"))
    return link
  })
