import type { Fault } from "@inlethq/core/log/Outcome"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"
import { sentenceOf } from "../texts/sentences.ts"

/** Returns what the summary of an import says about a line with faults. The columns of a file are named as in Inlet. */
export const lineMessage = (faults: ReadonlyArray<Fault>): string =>
  sentenceOf("svc", reasonsOf(faults)) ?? ""
