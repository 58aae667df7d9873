import type { Refusal } from "./Delivery.ts"

/** What Pipelines answers with status 200 (contract §2). */
export const accepted = { success: true } as const

/** What strict mode answers: every shape that a client may parse (contract §4). */
export const refusalBody = ({ code, message }: Refusal) => ({
  success: false,
  code,
  message,
  error: message,
  meta: { error: message },
})
