import { count, counted } from "../../shared/values/figures.ts"

/** The number of things that wait for another attempt up to which the server counts them. */
const countedMax = 250

/**
 * Says how much a webhook or a forward has still to send: `held` things, such as "event", that wait for another attempt,
 * and `entries` of the log that it has not read.
 */
export const waitingText = (held: number, thing: string, entries: number): string => {
  if (held === 0 && entries === 0) return "nothing"
  const more = held >= countedMax ? " or more" : ""
  const retried = `${count(held)}${more} ${held === 1 ? thing : `${thing}s`}`
  return entries === 0
    ? retried
    : `${retried}, and ${counted(entries, "entry", "entries")} of the log to read`
}
