import type { DuplicatePair } from "../history/duplicatePairs.ts"
import { searchedName } from "@inlethq/core/state/searchedNames"
import type { Person } from "@inlethq/core/state/Person"
import { operationIdText, svcIdText } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { DuplicateDocument } from "@inlethq/contract/people/Duplicates"

/** `base` is the base path of the management API. */
export const duplicateDocument =
  (base: string) =>
  ({ operations, people: [one, other], reasons }: DuplicatePair): DuplicateDocument => {
    const people = [pairedPerson(one), pairedPerson(other)] as const
    const [first, second] = people
    return {
      people,
      reasons,
      operation_ids: operations.map(({ batchIndex, sequence, workspace }) =>
        operationIdText(workspace, sequence, batchIndex),
      ),
      last_at: operations[0] === undefined ? null : toIso(operations[0].receivedAt),
      merge_preview: `${base}/workspaces/${one.workspace}/people/${first.svc_id}/merge-preview?secondary=${second.svc_id}`,
    }
  }

const pairedPerson = ({ attributes, email, id, key, workspace }: Person) => ({
  svc_id: svcIdText(workspace, key),
  id,
  email,
  name: searchedName(attributes),
})
