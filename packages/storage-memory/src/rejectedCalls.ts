import { withoutCall, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import {
  rejectedCharactersMax,
  rejectedSize,
  rejectedText,
  type RejectedCall,
} from "@inlethq/core/log/RejectedCall"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Sequence } from "@inlethq/core/values/Identifier"

type Log = Map<Sequence, ActivityEntry>

interface KeptCall {
  readonly sequence: Sequence
  readonly call: RejectedCall
}

/** Returns the rejected calls that the log keeps. */
export const callsIn = (log: Log): ReadonlyArray<KeptCall> =>
  [...log.values()].flatMap(({ call, sequence }) => (call === null ? [] : [{ sequence, call }]))

export const eraseCalls = (log: Log, sequences: Iterable<Sequence>): void => {
  for (const sequence of sequences) {
    const entry = log.get(sequence)
    if (entry !== undefined) log.set(sequence, withoutCall(entry))
  }
}

/** Forgets the oldest rejected calls until the rest fits into `rejectedCharactersMax`. */
export const limitCalls = (log: Log): void => {
  let characters = 0
  const surplus: Array<Sequence> = []
  for (const { call, sequence } of callsIn(log).toReversed()) {
    characters += rejectedSize(rejectedText(call))
    if (characters > rejectedCharactersMax) surplus.push(sequence)
  }
  eraseCalls(log, surplus)
}

/** Forgets the rejected calls that were received more than `days` days ago. Returns their positions. */
export const pruneCalls = (log: Log, days: number, now: EpochMillis): ReadonlyArray<Sequence> => {
  const old = [...log.values()].flatMap(({ call, receivedAt, sequence }) =>
    call !== null && receivedAt < now - days * dayMs ? [sequence] : [],
  )
  eraseCalls(log, old)
  return old
}
