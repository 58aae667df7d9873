import { useEffect, useState } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { fromTheBeginning, readActivityStream } from "../../api/activityStream.ts"
import { api } from "../../api/generated.ts"

/** The largest number of operations that the page shows, beginning with the newest. */
const shownMax = 5

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
    const onEntry = (entry: ActivityDocument) =>
      setFound((before) => ({
        hadOperations: before?.hadOperations ?? false,
        arrived: [entry, ...(before?.arrived ?? [])].slice(0, shownMax),
      }))
    void follow(w, stopping.signal, onEntry, (hadOperations) => setFound({ hadOperations, arrived: [] }))
    return () => stopping.abort()
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
        onPart: (id, data) => {
          after = id
          if (data === undefined) return
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
