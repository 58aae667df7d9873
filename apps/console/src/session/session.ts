import { send } from "../api/request.ts"

const sessionPath = "/console/session"

const fragmentName = "login"

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
