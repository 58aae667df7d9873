import type { Refusal } from "./RequestContext.ts"

/** The body of a 200 (contract §2). */
export const accepted = { success: true } as const

/**
 * The error body of strict mode. It repeats the message in each place in which a client may look for it (contract §4).
 */
export const refusalBody = ({ code, message }: Refusal) => ({
  success: false,
  code,
  message,
  error: message,
  meta: { error: message },
})
