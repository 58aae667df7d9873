import type { WorkingSet } from "../fold/WorkingSet.ts"
import { identifierText, keyText, svcIdKey, type WorkspaceId } from "../values/Identifier.ts"
import { subjectDigest } from "../ledger/ErasureRecord.ts"

/** The kinds of identifiers that a text without a kind may be. */
const kinds = ["id", "email"] as const

/**
 * Returns digests of the identifiers that a text may be, as the erasure ledger has them, and of a `svc_id` also that by which the
 * position of a deletion is found. `digest` computes the digests of the workspace.
 */
export const namedDigests = (
  digest: (text: string) => string,
  workspace: WorkspaceId,
  text: string,
): ReadonlyArray<string> => {
  const key = svcIdKey(workspace, text)
  const digests = kinds.map((kind) => digest(identifierText(kind, text)))
  return key === undefined ? digests : [...digests, subjectDigest(digest, key), digest(keyText(key))]
}

/** Returns the digests of whomever a batch erases, as `namedDigests` returns them. */
export const erasedDigests = ({
  digest,
  workspace,
  written,
}: Pick<WorkingSet, "digest" | "workspace" | "written">): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const text of written.erasedIdentifiers.keys()) {
    for (const one of namedDigests(digest, workspace, text)) found.add(one)
  }
  for (const { record } of written.erasures) {
    if (record.action === "unsuppress") continue
    for (const one of [...record.identifiers, ...record.subjects]) found.add(one)
    for (const { identifier } of record.freed ?? []) found.add(identifier)
  }
  return found
}
