import { siteIdLengthMax } from "@inlethq/core/workspace/Credentials"
import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { basicCredentials } from "../credentials/Authenticator.ts"
import { storedSecret } from "../credentials/Secret.ts"
import type { UnknownSender } from "../listener/RefusedCalls.ts"
import type { Endpoint } from "./Call.ts"
import { parsePath } from "./Path.ts"
import type { Protocol } from "./Protocol.ts"
import type { Match } from "./Router.ts"

/** The most characters of a user agent that are kept. */
const userAgentLengthMax = 256

type Find = (method: string, segments: ReadonlyArray<string>) => Match<Endpoint>

/**
 * Returns what a call with an unknown key says about its sender. A write key is a secret, possibly of another installation,
 * so only its start is kept, and of the path no parameters.
 */
export const unknownSender = (
  { name }: Pick<Protocol, "name">,
  { headers, method = "GET", url = "/" }: Pick<IncomingMessage, "headers" | "method" | "url">,
  route: Find,
): UnknownSender => {
  const path = parsePath(url)
  const match = Result.isSuccess(path) ? route(method, path.success.segments) : undefined
  const user = basicCredentials(headers.authorization)?.split(":", 1)[0] ?? ""
  return {
    key: name === "pipelines" ? storedSecret(user).prefix : siteIdIn(user),
    route: match?._tag === "Found" ? match.route : null,
    userAgent: headers["user-agent"]?.slice(0, userAgentLengthMax) ?? null,
  }
}

const siteIdIn = (user: string): string | null => (user === "" || user.length > siteIdLengthMax ? null : user)
