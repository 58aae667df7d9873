import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text } from "@inlethq/storage/columns/columns"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { texts } from "../engine/parameters.ts"

const addressesSql = `
  SELECT found.address AS address, max(found.before) AS before FROM unnest($2::text[]) AS wanted (address)
  CROSS JOIN LATERAL (
    SELECT address, before FROM erased_addresses WHERE workspace = $1 AND address = wanted.address COLLATE "C" OFFSET 0
  ) AS found
  GROUP BY found.address`

/**
 * Reads the addresses of deleted people. Until housekeeping has removed the address of a deleted person from all
 * reports on deliveries, the table `erased_addresses` contains a digest of the address. For the digest of each erased
 * address, returns the log position before which reports must not show the address.
 */
export const readErasedAddresses = (
  connection: Connection,
  workspace: WorkspaceId,
  addresses: ReadonlySet<string>,
): Effect.Effect<Map<string, Sequence>, DatabaseError> =>
  addresses.size === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        connection.query(addressesSql, [workspace, texts([...addresses])]),
        (rows) => new Map(rows.map((row) => [text(row["address"]), sequenceOf(integer(row["before"]))])),
      )
