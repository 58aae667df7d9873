import type { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Settings } from "./Settings.ts"
import type { Started } from "./Welcome.ts"

/** Calls `pass` to let the server handle a request, or writes the response itself. */
export type Intercept = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** Callbacks of the program in which a server runs. */
export interface Host {
  /** Runs when the server has started to listen. */
  readonly started: (started: Started) => Effect.Effect<void, never, Settings>
  /** Receives every request before the server does. */
  readonly intercept: Intercept
}
