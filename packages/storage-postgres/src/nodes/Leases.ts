import { randomUUID } from "node:crypto"
import type { Fitness } from "@inlethq/core/ports/NodeFitness"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Clock, Context, Effect, Option, Schedule, Schema, type Scope } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { installation, type Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts, type Parameter } from "../engine/parameters.ts"

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

/**
 * The time for which a lease is valid, in milliseconds. If its holder dies, another node can acquire it after this time. The
 * one for sending is longer: what two nodes do with the store is undone, what both have sent is not.
 */
export const leaseMs = { housekeeping: 1500, rules: 1500, imports: 1500, webhooks: 5000 }

export type LeaseName = keyof typeof leaseMs

/** The pause between two renewals of all leases that a node holds. */
const renewInterval = "400 millis"

/** A node that wants a lease which another one holds asks for it again after this many milliseconds. */
export const askAgainMs = 200

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
     * Returns the lease while this node holds it, and acquires it if it can. Returns undefined while another node holds it,
     * or this node is unfit. Costs nothing while the node holds the lease.
     */
    hold(name: LeaseName): Effect.Effect<Lease | undefined, StoreUnavailable>
    /** Extends all leases that `hold` has acquired, in one statement. */
    readonly renewHeld: Effect.Effect<void, StoreUnavailable>
    /**
     * Frees every lease that was acquired through this service, so that other nodes need not wait until the leases expire. A
     * node calls this when it stops or becomes unfit.
     */
    readonly releaseAll: Effect.Effect<void, StoreUnavailable>
  }
>()("@inlethq/storage-postgres/nodes/Leases") {}

/** A lease that this node believes to hold until a time of the monotonic clock. */
interface Held {
  readonly lease: Lease
  readonly ms: number
  readonly untilMs: number
}

export interface LeaseOptions {
  /** How long the leases that `hold` acquires are valid. */
  readonly durations?: Readonly<Record<LeaseName, number>> | undefined
  /** Whether this node may hold leases. It always may if this is left out. */
  readonly fitness?: Fitness | undefined
}

/** Makes the lease service of a database. The leases are rows of the table `leases`. */
export const makeLeases = (
  database: Database["Service"],
  { durations = leaseMs, fitness = { unfit: () => null } }: LeaseOptions = {},
): Leases["Service"] => {
  const write = (operation: string, sql: string, parameters: ReadonlyArray<Parameter>) =>
    database.write(operation, installation, (connection) => connection.query(sql, parameters))
  const acquired = new Map<string, Lease>()
  const acquire: Leases["Service"]["acquire"] = (name, by, ms) =>
    database
      .write("acquire a lease", installation, (connection) =>
        // Waits for the transactions that rely on the lease. Renewals do not wait for them.
        Effect.andThen(
          connection.execute("SELECT name FROM leases WHERE name = $1 FOR UPDATE", [name]),
          connection.query(acquireSql, [name, by, ms]),
        ),
      )
      .pipe(
        Effect.map(([row]) => {
          if (row === undefined) return Option.none()
          const lease = { name, token: Number(row["token"]) }
          acquired.set(name, lease)
          return Option.some(lease)
        }),
      )
  const release: Leases["Service"]["release"] = ({ name, token }) =>
    Effect.asVoid(write("release a lease", releaseSql, [name, token]))
  const held = new Map<LeaseName, Held>()
  return {
    acquire,
    renew: ({ name, token }, ms) =>
      Effect.map(write("renew a lease", renewSql, [name, token, ms]), (renewed) => renewed.length > 0),
    release,
    hold: holdIn(held, database, acquire, durations, fitness),
    renewHeld: renewIn(held, database, fitness),
    releaseAll: Effect.suspend(() => {
      held.clear()
      return Effect.forEach(acquired.values(), release, { discard: true })
    }),
  }
}

/** Returns `hold`, which keeps what it acquires in `held`. */
const holdIn = (
  held: Map<LeaseName, Held>,
  database: Pick<Database["Service"], "query">,
  acquire: Leases["Service"]["acquire"],
  durations: Readonly<Record<LeaseName, number>>,
  { unfit }: Fitness,
): Leases["Service"]["hold"] => {
  const holder = randomUUID()
  const askAgainAt = new Map<LeaseName, number>()
  return Effect.fnUntraced(function* (name) {
    const nowMs = yield* monotonicMs
    const own = held.get(name)
    if (unfit() === null && own !== undefined && nowMs < own.untilMs) return own.lease
    held.delete(name)
    if (unfit() !== null || nowMs < (askAgainAt.get(name) ?? 0)) return undefined
    askAgainAt.set(name, nowMs + askAgainMs)
    // Most questions come from nodes that must wait, so they only read.
    const [taken] = yield* database.query("read a lease", takenSql, [name, holder])
    if (taken !== undefined) return undefined
    const ms = durations[name]
    const lease = Option.getOrUndefined(yield* acquire(name, holder, ms))
    if (lease === undefined) return undefined
    held.set(name, { lease, ms, untilMs: nowMs + ms })
    askAgainAt.delete(name)
    return lease
  })
}

const renewIn = (
  held: Map<LeaseName, Held>,
  database: Pick<Database["Service"], "query">,
  { unfit }: Fitness,
): Leases["Service"]["renewHeld"] =>
  Effect.gen(function* () {
    if (held.size === 0 || unfit() !== null) return
    const nowMs = yield* monotonicMs
    const asked = [...held]
    const rows = yield* database.query("renew its leases", renewHeldSql, [
      texts(asked.map(([name]) => name)),
      int8s(asked.map(([, { lease }]) => lease.token)),
      int8s(asked.map(([, { ms }]) => ms)),
    ])
    const renewed = new Set(rows.map((row) => row["name"]))
    for (const [name, one] of asked) {
      if (held.get(name) !== one) continue
      if (renewed.has(name)) held.set(name, { ...one, untilMs: nowMs + one.ms })
      else held.delete(name)
    }
  })

/** Monotonic, because a step of the node's clock must neither prolong nor end what it believes to hold. */
const monotonicMs = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

/** Extends the leases of this node until the scope closes, also while the work that needs them takes long. */
export const renewForever = ({
  renewHeld,
}: Pick<Leases["Service"], "renewHeld">): Effect.Effect<void, never, Scope.Scope> =>
  Effect.ignore(Effect.timeout(renewHeld, leaseMs.rules)).pipe(
    Effect.ignoreCause({ log: "Error", message: "the leases of this node could not be renewed" }),
    Effect.repeat(Schedule.spaced(renewInterval)),
    Effect.forkScoped,
    Effect.asVoid,
  )

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
    connection.execute("SELECT token FROM leases WHERE name = $1 AND token = $2 FOR KEY SHARE", [
      name,
      token,
    ]),
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

/** Returns a row if another holder has the lease. */
const takenSql = "SELECT name FROM leases WHERE name = $1 AND holder <> $2 AND until >= clock_timestamp()"

const renewHeldSql = `
  UPDATE leases SET until = ${until("own.ms")}
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS own (name, token, ms)
  WHERE leases.name = own.name AND leases.token = own.token
  RETURNING leases.name
`

const renewSql = `UPDATE leases SET until = ${until("$3")} WHERE name = $1 AND token = $2 RETURNING token`

/** Releasing a lease keeps its row, so that the next holder gets a larger token. */
const releaseSql = `
  UPDATE leases SET until = '-infinity', holder = '' WHERE name = $1 AND token = $2 RETURNING token
`
