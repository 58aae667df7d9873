import { ApiFailure } from "../api/request.ts"

let problem: string | undefined

/** Returns the reason why signing in with a link failed, or undefined if it succeeded or was not tried. */
export const loginProblem = (): string | undefined => problem

/** Stores the reason why signing in with a link failed, so that the sign-in page can show it. */
export const keepLoginProblem = (cause: unknown): void => {
  problem =
    cause instanceof ApiFailure && cause.status !== 401
      ? cause.message
      : "The link has been used before, or is older than 10 minutes. Use the management token, or restart the server to get a new link."
}
