import { fromTheBeginning } from "@inlethq/contract/values/StreamPart"
import { useEffect, useState } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { readActivityStream } from "../../api/activityStream.ts"
import { api } from "../../api/generated.ts"

/** The largest number of operations that the page shows, beginning with the newest. */
const shownMax = 5

/**
 * The shortest time between two changes of the list, in milliseconds. The page asks for an explanation of each operation
 * that it shows, so in a burst it shows only the last ones.
 */
const changeMs = 500

const retryMs = 1_000

export interface FirstOperations {
  /** True if the workspace had operations before the page was opened. */
  readonly hadOperations: boolean
  /** The operations that arrived after the page was opened, newest first. */
  readonly arrived: ReadonlyArray<ActivityDocument>
}

/**
 * Returns the operations that arrive while the page is open. Returns undefined until the log has been read for the
 * first time.
 */
export const useFirstOperations = (w: string): FirstOperations | undefined => {
  const [found, setFound] = useState<FirstOperations>()
  useEffect(() => {
    const stopping = new AbortController()
    let waiting: ReadonlyArray<ActivityDocument> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      if (waiting.length === 0) return
      const newest = waiting
      waiting = []
      setFound((before) => ({
        hadOperations: before?.hadOperations ?? false,
        arrived: [...newest, ...(before?.arrived ?? [])].slice(0, shownMax),
      }))
      timer = setTimeout(show, changeMs)
    }
    const onEntry = (entry: ActivityDocument) => {
      waiting = [entry, ...waiting].slice(0, shownMax)
      if (timer === undefined) show()
    }
    void follow(w, stopping.signal, onEntry, (hadOperations) => setFound({ hadOperations, arrived: [] }))
    return () => {
      stopping.abort()
      clearTimeout(timer)
    }
  }, [w])
  return found
}

const follow = async (
  w: string,
  signal: AbortSignal,
  onEntry: (entry: ActivityDocument) => void,
  onStart: (hadOperations: boolean) => void,
): Promise<void> => {
  let after: string | undefined
  while (!signal.aborted) {
    try {
      if (after === undefined) {
        const { items } = await api.activity.list(w, { limit: 1 }, signal)
        after = items[0] === undefined ? fromTheBeginning : String(items[0].sequence)
        onStart(items.length > 0)
      }
      await readActivityStream({
        w,
        filter: undefined,
        after,
        signal,
        onOpen: () => undefined,
        onPart: ({ data, id }) => {
          after = id
          if (data === null) return
          const entry: ActivityDocument = JSON.parse(data)
          onEntry(entry)
        },
      })
    } catch {
      // This error needs no handling. The top bar shows that the connection broke, and the loop connects again and
      // resumes after the last operation.
    }
    await new Promise((resume) => setTimeout(resume, retryMs))
  }
}
