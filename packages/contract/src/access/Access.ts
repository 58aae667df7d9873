import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Grant } from "@inlethq/core/workspace/ConsoleSession"
import type { Scope } from "@inlethq/core/workspace/NamedToken"
import { Context, Option } from "effect"
import { HttpApiMiddleware, type HttpApiEndpoint } from "effect/http-api"
import type { AuditAction } from "./AuditAction.ts"
import { Forbidden, Unavailable } from "./Problem.ts"

/** Who sends a request: a management token, or a session of the console that a token or a person opened. */
export class Principal extends Context.Service<
  Principal,
  {
    /**
     * The id of a named token, `installation` for the installation's own token, or `sign_in_link`. Of a person, it is the issuer and
     * the subject.
     */
    readonly id: string
    readonly name: string
    readonly isSession: boolean
    /** Whether identifiers and texts of people are masked in every answer. */
    readonly isMasked?: boolean
    /** What the principal may do. A token has one grant. */
    readonly grants: ReadonlyArray<Grant>
    /** The highest scope that counts for the request. */
    readonly scope: Scope
    /** The workspaces in which the principal has the scope that the endpoint requires; null for all. */
    readonly workspaces: ReadonlyArray<WorkspaceId> | null
  }
>()("@inlethq/contract/access/Access/Principal") {}

/**
 * What an endpoint requires of a principal. Every endpoint of the management API declares one; without a declaration
 * only an admin of all workspaces gets through.
 */
export class Requirement extends Context.Service<
  Requirement,
  {
    readonly scope: Scope
    /**
     * `workspace`: the workspace in the path. `own`: none, because the answer only contains what the principal may see.
     * `all`: all workspaces.
     */
    readonly reach: "workspace" | "own" | "all"
    /** What the audit log calls a request; null for a read, which it does not record. */
    readonly action: AuditAction | null
  }
>()("@inlethq/contract/access/Access/Requirement") {}

type Declared = Requirement["Service"]

/** Reads data of the workspace in the path. */
export const reads: Declared = { scope: "read", reach: "workspace", action: null }

/** Reads so much of the workspace in the path that it is recorded. */
export const exports = (action: AuditAction): Declared => ({ ...reads, action })

/** Reads data of the whole installation. */
export const readsAll: Declared = { scope: "read", reach: "all", action: null }

/** Reads what the principal may see. */
export const readsOwn: Declared = { scope: "read", reach: "own", action: null }

/** Makes something with which the principal itself is let in. */
export const opensOwn = (action: AuditAction): Declared => ({ ...readsOwn, action })

/** Changes data of the workspace in the path. */
export const writes = (action: AuditAction): Declared => ({ scope: "write", reach: "workspace", action })

/** Changes the workspace in the path, its keys or its webhooks. */
export const administers = (action: AuditAction): Declared => ({ scope: "admin", reach: "workspace", action })

/** Reads what only admins may see, of the workspaces that the principal may use. */
export const inspects = (action: AuditAction | null): Declared => ({ scope: "admin", reach: "own", action })

/** Reads what only admins of the whole installation may see. */
export const inspectsAll: Declared = { scope: "admin", reach: "all", action: null }

/** Changes the whole installation, such as its tokens. */
export const administersAll = (action: AuditAction): Declared => ({ scope: "admin", reach: "all", action })

/** Returns what an endpoint declares, or the strictest requirement if it declares nothing. */
export const requirementOf = ({ annotations }: Pick<HttpApiEndpoint.Top, "annotations">): Declared =>
  Option.getOrElse(Context.getOption(annotations, Requirement), () => inspectsAll)

/** Refuses requests whose principal does not meet the requirement of the endpoint. */
export class Access extends HttpApiMiddleware.Service<Access, { requires: Principal }>()("./Access.ts", {
  error: [Forbidden, Unavailable],
}) {}
