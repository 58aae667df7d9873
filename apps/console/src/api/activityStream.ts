import { StreamReader, type StreamPart } from "@inlethq/contract/values/StreamPart"
import { api } from "./generated.ts"
import { failureOf } from "./request.ts"

/**
 * The longest silence, in milliseconds, before a stream counts as broken. The server sends a heartbeat at least every
 * 15 s.
 */
const silenceMsMax = 40_000

interface StreamOptions {
  readonly w: string
  readonly filter: string | undefined
  /**
   * The id of the last server-sent event that was received. If undefined, the stream starts with the next operation.
   */
  readonly after: string | undefined
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onPart: (part: StreamPart) => void
}

/**
 * Reads the stream of activity until it ends. Rejects if the server refuses the stream or the connection breaks.
 * `EventSource` cannot start at a position and hides the reason of a refusal, so this function reads the body of a
 * response.
 */
export const readActivityStream = async (options: StreamOptions): Promise<void> => {
  const { after, filter, onOpen, onPart, signal, w } = options
  const silence = new AbortController()
  const response = await fetch(api.activity.stream(w, { filter }), {
    credentials: "same-origin",
    headers: after === undefined ? {} : { "last-event-id": after },
    signal: AbortSignal.any([signal, silence.signal]),
  })
  if (!response.ok || response.body === null) throw await failureOf(response)
  onOpen()
  let timer = setTimeout(() => silence.abort(), silenceMsMax)
  const parts = new StreamReader()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMsMax)
      for (const part of parts.add(value)) onPart(part)
    }
  } finally {
    clearTimeout(timer)
  }
}
