import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { MergePeople } from "@inlethq/core/person/commands"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { Call } from "../call/Call.ts"
import { decodeCall } from "../call/decodeCall.ts"

/** Two people. */
export interface Pair {
  readonly primary: SubjectKey
  readonly secondary: SubjectKey
}

/** Returns the command that a call becomes in a workspace, or null if it becomes none or several. */
export const commandOf = (
  call: Call,
  { receivedAt, sender, source }: ActivityEntry,
  workspace: Workspace,
): Command | null => {
  const client = { path: call.path, userAgent: null, address: null }
  const areCells = source === "csv"
  const decoded = decodeCall({ workspace, brand: defaultBrand, receivedAt, client, areCells }, call)
  const [command] = decoded ?? []
  return command === undefined || decoded?.length !== 1 ? null : { ...command, sender }
}

/** Returns the command with which a trial merges two people. */
export const mergeCommand = (
  workspace: Workspace,
  { primary, secondary }: Pair,
  receivedAt: number,
): MergePeople => ({
  _tag: "MergePeople",
  workspace,
  source: "management",
  receivedAt,
  at: receivedAt,
  followsReceipt: true,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: null,
  sender: null,
  faults: [],
  primary: { _tag: "BySvcId", key: primary },
  secondary: { _tag: "BySvcId", key: secondary },
})
