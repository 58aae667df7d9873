import type { SendResult } from "./Sender.ts"

/** The result of a request, and how long it took. */
export interface Delivered extends SendResult {
  readonly durationMs: number
}
