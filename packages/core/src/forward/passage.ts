import type { WorkspaceId } from "../values/Identifier.ts"

/** The header of forwarded calls, which names the workspaces that have sent them on, the first one first. */
export const passageHeader = "inlet-forwarded"

/** The most workspaces that send a call on, one after the other. */
export const forwardSendersMax = 3

const installationDigits = 16

/** Returns the id of an installation, which all its nodes and its restored copies share. `digest` is that of `Digest`. */
export const installationOf = (digest: (text: string) => string): string =>
  digest("inlet:installation").slice(0, installationDigits)

/** Returns how the header names a workspace of an installation. */
export const passageName = (installation: string, workspace: WorkspaceId): string =>
  `${installation}/${workspace}`

const passage = /^[0-9a-f]{1,64}\/\d{1,10}(?:,[0-9a-f]{1,64}\/\d{1,10}){0,15}$/

/** Returns the names in a header, or none if there is no header or something else has written it. */
export const passageIn = (header: string | undefined): ReadonlyArray<string> =>
  header !== undefined && passage.test(header) ? header.split(",") : []
