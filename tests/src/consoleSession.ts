import { send, type Answer } from "./http.ts"

const fromConsole = { "sec-fetch-site": "same-origin", "content-type": "application/json" }

/** Signs in to the console with `{ token }` or `{ login }`, as the console does. */
export const signIn = (url: string, body: object): Promise<Answer> =>
  send(url, { method: "POST", path: "/console/session", headers: fromConsole, body: JSON.stringify(body) })

export const signOut = (url: string, cookie: string): Promise<Answer> =>
  send(url, { method: "DELETE", path: "/console/session", headers: { ...fromConsole, cookie } })

/** Returns the session cookie of the answer to a sign-in. */
export const cookieOf = ({ headers }: Answer): string => headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
