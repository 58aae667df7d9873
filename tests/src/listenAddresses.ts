import { eventually } from "./eventually.ts"
import type { Launched } from "./Launched.ts"

/** The addresses on which a server listens, as they appear in its log. */
export interface ListenAddresses {
  readonly url: string
  readonly operatorUrl: string | undefined
}

/** Waits until a server listens, and returns its addresses. Throws if the server exits first. */
export const waitForAddresses = (process: Launched): Promise<ListenAddresses> =>
  eventually("the server listens", () => {
    if (process.exited !== undefined) throw new Error(`the server exited:\n${process.output.join("\n")}`)
    const line = process.output.find((text) => text.includes('"listening"'))
    return line === undefined ? undefined : annotationsOf(line)
  })

const annotationsOf = (line: string): ListenAddresses => {
  const { annotations }: { annotations: ListenAddresses } = JSON.parse(line)
  return { url: annotations.url, operatorUrl: annotations.operatorUrl }
}
