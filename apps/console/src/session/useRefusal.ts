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
  const refusal = refusalOf(session, requirements[endpoint], w)
  return refusal === null ? undefined : refusalText(refusal, session)
}

const refusalText = ({ reason, scope }: Refusal, { scope: has, token }: Session): string => {
  switch (reason) {
    case "scope":
      return `This needs the scope ${scope}. You are signed in with ${token}, whose scope is ${has}.`
    case "all_workspaces":
      return `This needs a token with the scope ${scope} for all workspaces. You are signed in with ${token}.`
    case "workspace":
      return `You are signed in with ${token}, which may not use this workspace.`
  }
}
