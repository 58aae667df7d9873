import type { WhatIfChange, WhatIfDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ApiFailure } from "../../api/request.ts"

/** The days that a trial looks back. */
export const daysTried = 7

/** The pause between two looks at a trial that runs, and between two attempts to begin one while another runs. */
const lookMs = 500
const waitMs = 2_000

/** How far a trial has come. */
export type TrialState =
  | { readonly is: "waiting" }
  | { readonly is: "found"; readonly report: WhatIfDocument }
  | { readonly is: "failed"; readonly problem: Error }

/**
 * Tries a change on the last days and says how far it has come, until it has ended or `left` is aborted, which stops it at once.
 * While another trial of the workspace runs, it waits. A trial that cannot be followed any more is stopped too. Never rejects.
 */
export const runTrial = async (
  w: string,
  change: WhatIfChange,
  left: AbortSignal,
  say: (state: TrialState) => void,
): Promise<void> => {
  let report: WhatIfDocument | undefined
  let stopping: Promise<void> | undefined
  const stop = (): void => {
    if (report?.status === "running") stopping ??= stopped(w, report)
  }
  // A page that is closed has no time to wait for an answer.
  left.addEventListener("abort", stop, { once: true })
  try {
    report = await started(w, change, left, say)
    while (report?.status === "running" && !left.aborted) {
      say({ is: "found", report })
      await pause(lookMs, left)
      if (!left.aborted) report = await api.whatIf.get(w, report.what_if_id)
    }
    if (report !== undefined && !left.aborted) say({ is: "found", report })
  } catch (cause) {
    say({ is: "failed", problem: cause instanceof Error ? cause : new Error(String(cause)) })
  }
  left.removeEventListener("abort", stop)
  stop()
  await stopping
}

/** Begins a trial. The request goes to its end even if nobody wants the trial any more, so that it is known which one to stop. */
const started = async (
  w: string,
  change: WhatIfChange,
  left: AbortSignal,
  say: (state: TrialState) => void,
): Promise<WhatIfDocument | undefined> => {
  while (!left.aborted) {
    try {
      return await api.whatIf.start(w, { days: daysTried, change })
    } catch (cause) {
      if (!(cause instanceof ApiFailure) || cause.status !== 409) throw cause
      say({ is: "waiting" })
      await pause(waitMs, left)
    }
  }
  return undefined
}

/** If it cannot be stopped, it ends by itself. */
const stopped = (w: string, { what_if_id }: WhatIfDocument): Promise<void> =>
  api.whatIf.stop(w, what_if_id).then(
    () => undefined,
    () => undefined,
  )

const pause = (ms: number, left: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  left.addEventListener(
    "abort",
    () => {
      clearTimeout(timer)
      resolve()
    },
    { once: true },
  )
  return promise
}
