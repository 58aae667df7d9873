import type { Digest } from "@inlethq/core/ports/Digest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { sameDigest } from "../credentials/Secret.ts"

const pathPattern = /^\/v1\/exports\/(\d{1,15})\/file\?(.*)$/

const signatureOf = (
  digest: Digest["Service"],
  workspace: WorkspaceId,
  id: number,
  until: EpochMillis,
): string => digest.of(`export link:${workspace}:${id}:${until}`)

/** Returns the path of a link to the file of an export. Every node of the installation can check it. */
export const linkTo = (
  digest: Digest["Service"],
  workspace: WorkspaceId,
  id: number,
  until: EpochMillis,
): string => {
  const signature = signatureOf(digest, workspace, id, until)
  return `/v1/exports/${id}/file?workspace=${workspace}&until=${until}&signature=${signature}`
}

/** Returns whether a request target is a link to a file, valid or not. */
export const isLink = (target: string): boolean => pathPattern.test(target)

/** Returns what a link leads to, or undefined if it is forged or too old. */
export const readLink = (
  digest: Digest["Service"],
  target: string,
  now: EpochMillis,
): { readonly workspace: WorkspaceId; readonly id: number } | undefined => {
  const [, id, query = ""] = pathPattern.exec(target) ?? []
  const values = new URLSearchParams(query)
  const [workspace, until] = [Number(values.get("workspace")), Number(values.get("until"))]
  if (!Number.isSafeInteger(workspace) || workspace < 1 || !(now < until)) return undefined
  const of = { workspace: WorkspaceId.make(workspace), id: Number(id) }
  const signature = signatureOf(digest, of.workspace, of.id, until)
  return sameDigest(signature, values.get("signature") ?? "") ? of : undefined
}
