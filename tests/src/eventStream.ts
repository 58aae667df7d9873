import { StreamReader } from "@inlethq/contract/values/StreamPart"
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
      const reader = new StreamReader()
      incoming.setEncoding("utf8")
      incoming.on("error", () => undefined)
      const ended = new Promise<void>((resolveEnd) => incoming.once("close", resolveEnd))
      incoming.on("data", (text: string) => {
        for (const { data, id } of reader.add(text)) if (data !== null) messages.push({ id, data })
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
