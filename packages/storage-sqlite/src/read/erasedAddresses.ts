import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text } from "@inlethq/storage/columns/columns"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import type { ReadDatabase } from "../engine/Database.ts"

/**
 * Reads the addresses of deleted people. Until housekeeping has removed the address of a deleted person from all
 * reports on deliveries, the table `erased_addresses` contains a digest of the address. For the digest of each erased
 * address, returns the log position before which reports must not show the address.
 */
export const readErasedAddresses = (
  database: ReadDatabase,
): ((workspace: WorkspaceId, addresses: ReadonlySet<string>) => Map<string, Sequence>) => {
  const among = database.prepareByPlace(
    "SELECT found.address, max(found.before) FROM json_each(?) AS wanted CROSS JOIN erased_addresses AS found ON found.workspace = ? AND found.address = wanted.value GROUP BY found.address",
  )
  return (workspace, addresses) =>
    new Map(
      (addresses.size === 0 ? [] : among.all(JSON.stringify([...addresses]), workspace)).map((row) => [
        text(row[0]),
        sequenceOf(integer(row[1])),
      ]),
    )
}
