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
 * Tries a change on the last days and says how far it has come, until it has ended or `left` is aborted, which stops it. While
 * another trial of the workspace runs, it waits. Never rejects.
 */
export const runTrial = async (
  w: string,
  change: WhatIfChange,
  left: AbortSignal,
  say: (state: TrialState) => void,
): Promise<void> => {
  try {
    let report = await started(w, change, left, say)
    while (report?.status === "running" && !left.aborted) {
      say({ is: "found", report })
      await pause(lookMs, left)
      if (!left.aborted) report = await api.whatIf.get(w, report.what_if_id)
    }
    if (report === undefined) return
    if (left.aborted) await stopped(w, report)
    else say({ is: "found", report })
  } catch (cause) {
    say({ is: "failed", problem: cause instanceof Error ? cause : new Error(String(cause)) })
  }
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

const stopped = async (w: string, { status, what_if_id }: WhatIfDocument): Promise<void> => {
  if (status === "running") await api.whatIf.stop(w, what_if_id)
}

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
