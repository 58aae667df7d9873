import { ApiFailure } from "../api/request.ts"

let problem: string | undefined

/** Returns why the login link of this page load did not sign in, or undefined. */
export const loginProblem = (): string | undefined => problem

/** Keeps why a login link did not sign in, so that the page for signing in can say so. */
export const keepLoginProblem = (cause: unknown): void => {
  problem =
    cause instanceof ApiFailure && cause.status !== 401
      ? cause.message
      : "The link has been used before, or is older than 10 minutes. Use the management token, or restart the server to get a new link."
}
