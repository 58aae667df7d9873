import { request } from "node:http"
import { eventually } from "./eventually.ts"

interface Message {
  readonly id: string
  readonly data: string
}

/** An open stream of server-sent events. The method `next` waits for the first message that satisfies a condition. */
export interface OpenStream {
  readonly contentType: string
  readonly messages: ReadonlyArray<Message>
  readonly next: (wanted: (message: Message) => boolean) => Promise<Message>
  /** Resolves when the server ends the stream or its connection. */
  readonly ended: Promise<void>
  readonly close: () => void
}

/** Opens a stream of server-sent events. The promise resolves when the headers of the answer have arrived. */
export const openStream = (
  base: string,
  path: string,
  headers: Record<string, string>,
): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${base}${path}`, { agent: false, headers }, (incoming) => {
      const messages: Array<Message> = []
      let rest = ""
      incoming.setEncoding("utf8")
      incoming.on("error", () => undefined)
      const ended = new Promise<void>((resolveEnd) => incoming.once("close", resolveEnd))
      incoming.on("data", (text: string) => {
        const blocks = (rest + text).split(/\r?\n\r?\n/)
        rest = blocks.pop() ?? ""
        messages.push(...blocks.map(parse).filter((message) => message.data !== ""))
      })
      resolve({
        contentType: incoming.headers["content-type"] ?? "",
        messages,
        next: (wanted) => eventually("a matching message arrives", () => messages.find(wanted)),
        ended,
        close: () => outgoing.destroy(),
      })
    })
    outgoing.once("error", reject)
    outgoing.end()
  })

const parse = (block: string): Message => {
  const fields = block.split(/\r?\n/).map((line) => {
    const at = line.indexOf(":")
    return at < 0
      ? ([line, ""] as const)
      : ([line.slice(0, at), line.slice(at + 1).replace(/^ /, "")] as const)
  })
  const all = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value)
  return { id: all("id").at(-1) ?? "", data: all("data").join("\n") }
}
