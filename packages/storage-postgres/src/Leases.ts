import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Context, Effect, Option, Schema, type Scope } from "effect"
import type { Connection } from "./engine/Connection.ts"
import { installation, type Database } from "./engine/Database.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"
import type { Parameter } from "./engine/parameters.ts"

/** A lease that this node holds. Only its holder may do the work that the lease protects, such as housekeeping. */
export interface Lease {
  readonly name: string
  /**
   * The fencing token. The token grows each time another holder acquires the lease, so writes of an earlier holder can
   * be refused.
   */
  readonly token: number
}

/** The transaction fails because another node has acquired the lease. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { name: Schema.String }) {
  override get message() {
    return `another node holds the lease ${this.name}`
  }
}

/** Leases with fencing tokens. Leases expire by the database's clock, so the clocks of the nodes do not matter. */
export class Leases extends Context.Service<
  Leases,
  {
    /**
     * Acquires a lease for `ms` milliseconds if it is free or expired. Returns an empty option if another holder has
     * the lease.
     */
    acquire(name: string, holder: string, ms: number): Effect.Effect<Option.Option<Lease>, StoreUnavailable>
    /**
     * Extends a lease, so that it expires `ms` milliseconds from now. Returns false if another holder has acquired the
     * lease.
     */
    renew(lease: Lease, ms: number): Effect.Effect<boolean, StoreUnavailable>
    /** Frees a lease. Does nothing if another holder has acquired the lease in the meantime. */
    release(lease: Lease): Effect.Effect<void, StoreUnavailable>
    /**
     * Frees every lease that was acquired through this service. A node calls this when it stops, so that other nodes
     * need not wait until the leases expire.
     */
    readonly releaseAll: Effect.Effect<void, StoreUnavailable>
  }
>()("@inlet/storage-postgres/Leases") {}

/** Makes the lease service of a database. The leases are rows of the table `leases`. */
export const makeLeases = (database: Database["Service"]): Leases["Service"] => {
  const write = (operation: string, sql: string, parameters: ReadonlyArray<Parameter>) =>
    database.write(operation, installation, (connection) => connection.query(sql, parameters))
  const acquired = new Map<string, Lease>()
  const release: Leases["Service"]["release"] = ({ name, token }) =>
    Effect.asVoid(write("release a lease", releaseSql, [name, token]))
  return {
    acquire: (name, holder, ms) =>
      Effect.map(write("acquire a lease", acquireSql, [name, holder, ms]), ([row]) => {
        if (row === undefined) return Option.none()
        const lease = { name, token: Number(row["token"]) }
        acquired.set(name, lease)
        return Option.some(lease)
      }),
    renew: ({ name, token }, ms) =>
      Effect.map(write("renew a lease", renewSql, [name, token, ms]), (renewed) => renewed.length > 0),
    release,
    releaseAll: Effect.suspend(() => Effect.forEach(acquired.values(), release, { discard: true })),
  }
}

/** The longest time for which a stopping node tries to free its leases. Leases that are not freed expire. */
const releaseMax = "2 seconds"

/** Frees all leases when the scope closes. */
export const releaseAtEnd = ({
  releaseAll,
}: Pick<Leases["Service"], "releaseAll">): Effect.Effect<void, never, Scope.Scope> =>
  Effect.addFinalizer(() => Effect.ignore(Effect.timeout(releaseAll, releaseMax)))

/**
 * Fails with `LeaseLost` if another holder has acquired the lease. Otherwise locks the lease's row, so that no other
 * node can acquire the lease before the transaction ends. Every write that needs the lease must call this function in
 * its transaction.
 */
export const expectLease = (
  connection: Connection,
  { name, token }: Lease,
): Effect.Effect<void, LeaseLost | DatabaseError> =>
  Effect.flatMap(
    connection.execute("SELECT token FROM leases WHERE name = $1 AND token = $2 FOR SHARE", [name, token]),
    (found) => (found > 0 ? Effect.void : Effect.fail(new LeaseLost({ name }))),
  )

const until = (milliseconds: string) => `clock_timestamp() + ${milliseconds} * interval '1 millisecond'`

/**
 * A holder can acquire its own lease again, because the holder may have failed before it used its token. Each
 * acquisition gets a new token.
 */
const acquireSql = `
  INSERT INTO leases (name, holder, token, until) VALUES ($1, $2, 1, ${until("$3")})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = leases.token + 1, until = excluded.until
    WHERE leases.until < clock_timestamp() OR leases.holder = excluded.holder
  RETURNING token
`

const renewSql = `UPDATE leases SET until = ${until("$3")} WHERE name = $1 AND token = $2 RETURNING token`

/** Releasing a lease keeps its row, so that the next holder gets a larger token. */
const releaseSql = `
  UPDATE leases SET until = '-infinity', holder = '' WHERE name = $1 AND token = $2 RETURNING token
`
