import { refusalOf, type Refusal } from "@inlethq/contract/access/refusalOf"
import { requirements, type EndpointName } from "@inlethq/contract/access/requirements"
import { useParams, useRouteContext } from "@tanstack/react-router"
import type { Session } from "./session.ts"

/** Returns the session of the browser. Only pages of a workspace have one. */
export const useSession = (): Session => useRouteContext({ from: "/w/$w" }).session

/** Returns why the session may not call an endpoint of the management API, or undefined if it may. */
export const useRefusal = (endpoint: EndpointName): string | undefined => {
  const session = useSession()
  const { w } = useParams({ from: "/w/$w" })
  const refusal = refusalOf(session.grants, requirements[endpoint], w)
  return refusal === null ? undefined : refusalText(refusal, session)
}

const refusalText = ({ has, reason, scope }: Refusal, { isPerson, token }: Session): string => {
  const signedIn = `You are signed in ${isPerson ? "as" : "with"} ${token}`
  switch (reason) {
    case "scope":
      return `This needs the scope ${scope}. ${signedIn}, whose scope is ${has}.`
    case "all_workspaces":
      return `This needs the scope ${scope} for all workspaces. ${signedIn}.`
    case "workspace":
      return `${signedIn}, ${isPerson ? "who" : "which"} may not use this workspace.`
  }
}
