import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { HttpServerRequest } from "effect/http"
import { addressOf } from "../listener/addressOf.ts"

/** The longest header that a record keeps, in characters. */
const headerLengthMax = 200

type Origin = Pick<AuditRecord, "address" | "forwardedFor" | "userAgent">

/** Returns where a request comes from: the other end of its connection, and what its headers claim. */
export const originOf = (request: HttpServerRequest.HttpServerRequest): Origin => {
  return {
    address: addressOf(NodeHttpServerRequest.toIncomingMessage(request).socket) ?? null,
    forwardedFor: cut(request.headers["x-forwarded-for"]),
    userAgent: cut(request.headers["user-agent"]),
  }
}

const cut = (header: string | undefined): string | null => header?.slice(0, headerLengthMax) ?? null
