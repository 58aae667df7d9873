import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { keptAddress } from "@inlethq/wire/decoding/ipAddress"
import type { HttpServerRequest } from "effect/http"
import type { BlockList } from "node:net"
import { clientAddress } from "../listener/clientAddress.ts"

/** The longest header that a record keeps, in characters. */
const headerLengthMax = 200

export type Origin = Pick<AuditRecord, "address" | "forwardedFor" | "userAgent">

/** Returns where a request comes from: the address of its client, and what its headers claim. */
export const originOf = (
  request: HttpServerRequest.HttpServerRequest,
  trustedProxies: BlockList | null,
): Origin => {
  return {
    address: clientAddress(NodeHttpServerRequest.toIncomingMessage(request), trustedProxies) ?? null,
    forwardedFor: cut(request.headers["x-forwarded-for"]),
    userAgent: cut(request.headers["user-agent"]),
  }
}

/** Returns an origin with what a workspace keeps of addresses. `X-Forwarded-For` is kept as it is or not at all. */
export const withKeptAddress = (setting: Workspace["ip"], origin: Origin): Origin => ({
  ...origin,
  address: origin.address === null ? null : (keptAddress(setting, origin.address) ?? null),
  forwardedFor: setting === "keep" ? origin.forwardedFor : null,
})

const cut = (header: string | undefined): string | null => header?.slice(0, headerLengthMax) ?? null
