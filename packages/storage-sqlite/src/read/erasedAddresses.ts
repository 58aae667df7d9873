import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer, text } from "@inlet/storage/columns"
import { sequenceOf } from "@inlet/storage/ids"
import type { Database } from "../engine/Database.ts"

/**
 * Reads the addresses of deleted people. Until housekeeping has removed the address of a deleted person from all
 * reports on deliveries, the table `erased_addresses` contains a digest of the address, and readers must not show the
 * address.
 */
export const readErasedAddresses = (database: Database) => {
  const any = database.prepare("SELECT 1 FROM erased_addresses WHERE workspace = ? LIMIT 1")
  const among = database.prepare(
    "SELECT found.address AS address, max(found.before) AS before FROM json_each(?) AS wanted CROSS JOIN erased_addresses AS found ON found.workspace = ? AND found.address = wanted.value GROUP BY found.address",
  )
  return {
    /**
     * Returns whether the workspace has addresses of deleted people that readers must not show. If it has no such
     * addresses, readers need not compute digests of addresses.
     */
    any: (workspace: WorkspaceId): boolean => any.get(workspace) !== undefined,
    /**
     * Returns a log position for the digest of each erased address. Reports on deliveries at earlier positions must not
     * show the address.
     */
    among: (workspace: WorkspaceId, addresses: ReadonlySet<string>): Map<string, Sequence> =>
      new Map(
        (addresses.size === 0 ? [] : among.all(JSON.stringify([...addresses]), workspace)).map((row) => [
          text(row["address"]),
          sequenceOf(integer(row["before"])),
        ]),
      ),
  }
}
