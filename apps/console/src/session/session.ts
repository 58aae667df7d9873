import type { SessionDocument } from "@inlethq/contract/console/ConsoleApi"
import { queryOptions } from "@tanstack/react-query"
import { send } from "../api/request.ts"

const sessionPath = "/console/session"

const fragmentName = "login"

type Grants = SessionDocument["grants"]

/** A browser that is signed in: with which token or as whom, and what it may do. The scope is the highest of the grants. */
export interface Session {
  readonly scope: Grants[number]["scope"]
  readonly workspaces: Grants[number]["workspaces"]
  readonly token: string
  /** True for a person whom an issuer has signed in. */
  readonly isPerson: boolean
  readonly grants: Grants
}

/** Reads whether the browser is signed in. A session is kept until it ends, because what a token may do never changes. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<SessionDocument> =>
    (await send("GET", sessionPath, { signal })).json(),
  staleTime: ({ state }) => (state.data?.signed_in === true ? Infinity : 0),
})

/** Returns the session that a document describes, or undefined if the browser is not signed in. */
export const sessionIn = ({ grants, scope, token, workspaces }: SessionDocument): Session | undefined =>
  token === null || scope === null
    ? undefined
    : { token: token.name, isPerson: token.issuer !== null, scope, workspaces, grants }

/**
 * Returns the login code in the fragment of the address and removes the fragment at once, so that the code does not stay
 * in the address bar or in the history.
 */
export const takeLoginCode = (): string | undefined => {
  const code = new URLSearchParams(location.hash.slice(1)).get(fragmentName)
  if (code === null) return undefined
  history.replaceState(history.state, "", location.pathname + location.search)
  return code
}

/** Exchanges the code of a login link for a session cookie. */
export const signInWithCode = async (login: string): Promise<void> => {
  await send("POST", sessionPath, { body: { login } })
}

/** Exchanges the management token for a session cookie. The page does not keep the token. */
export const signInWithToken = async (token: string): Promise<void> => {
  await send("POST", sessionPath, { body: { token } })
}

export const signOut = async (): Promise<void> => {
  await send("DELETE", sessionPath)
}
