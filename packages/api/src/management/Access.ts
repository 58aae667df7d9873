import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { Scope } from "@inlet/core/workspace/NamedToken"
import { Context, Option } from "effect"
import { HttpApiMiddleware, type HttpApiEndpoint } from "effect/http-api"
import { Forbidden, Unavailable } from "./Problem.ts"

/** Who sends a request: a management token, or a session of the console that was opened with one. */
export class Principal extends Context.Service<
  Principal,
  {
    /** The id of a named token, `installation` for the installation's own token, or `sign_in_link`. */
    readonly id: string
    readonly name: string
    readonly isSession: boolean
    readonly scope: Scope
    /** The workspaces that the principal may use; null for all. */
    readonly workspaces: ReadonlyArray<WorkspaceId> | null
  }
>()("@inlet/api/management/Access/Principal") {}

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
  }
>()("@inlet/api/management/Access/Requirement") {}

type Declared = Requirement["Service"]

/** Reads data of the workspace in the path. */
export const reads: Declared = { scope: "read", reach: "workspace" }

/** Reads data of the whole installation. */
export const readsAll: Declared = { scope: "read", reach: "all" }

/** Reads what the principal may see. */
export const readsOwn: Declared = { scope: "read", reach: "own" }

/** Changes data of the workspace in the path. */
export const writes: Declared = { scope: "write", reach: "workspace" }

/** Changes the workspace in the path, its keys or its webhooks. */
export const administers: Declared = { scope: "admin", reach: "workspace" }

/** Reads or changes the whole installation, such as its tokens. */
export const administersAll: Declared = { scope: "admin", reach: "all" }

/** Returns what an endpoint declares, or the strictest requirement if it declares nothing. */
export const requirementOf = ({ annotations }: Pick<HttpApiEndpoint.Top, "annotations">): Declared =>
  Option.getOrElse(Context.getOption(annotations, Requirement), () => administersAll)

/** Refuses requests whose principal does not meet the requirement of the endpoint. */
export class Access extends HttpApiMiddleware.Service<Access, { requires: Principal }>()(
  "@inlet/api/management/Access",
  { error: [Forbidden, Unavailable] },
) {}
