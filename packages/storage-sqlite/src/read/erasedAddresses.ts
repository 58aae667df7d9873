import type { Sequence } from "@inlet/core/values/Identifier"
import { integer, text } from "@inlet/storage/columns"
import { sequenceOf } from "@inlet/storage/ids"
import type { Database } from "../engine/Database.ts"

/**
 * Reads the addresses of deleted people. The table `erased_addresses` contains an address until housekeeping has
 * removed it from all reports. Until then, readers must not show the address.
 */
export const readErasedAddresses = (database: Database) => {
  const any = database.prepare("SELECT 1 FROM erased_addresses WHERE address > '' LIMIT 1")
  const among = database.prepare(
    "SELECT found.address AS address, max(found.before) AS before FROM json_each(?) AS wanted CROSS JOIN erased_addresses AS found ON found.address = wanted.value GROUP BY found.address",
  )
  return {
    /** Returns whether the table contains any address. If not, readers need not compute digests. */
    any: (): boolean => any.get() !== undefined,
    /** Returns, by the digest of an address, the log position before which the address is erased. */
    among: (addresses: ReadonlySet<string>): Map<string, Sequence> =>
      new Map(
        (addresses.size === 0 ? [] : among.all(JSON.stringify([...addresses]))).map((row) => [
          text(row["address"]),
          sequenceOf(integer(row["before"])),
        ]),
      ),
  }
}
