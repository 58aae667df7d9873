import { Clock, Effect, Option, Pool, type Scope } from "effect"
import { unusedConnectionMs } from "./bounds.ts"
import { connectToPrimary, type PrimarySession } from "./connectToPrimary.ts"
import type { Driver, Session } from "./Connection.ts"
import type { ConnectionSettings, Host } from "./ConnectionUrl.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { countInUse, measureWait } from "./metrics.ts"

/** A pool of sessions to the server that accepts writes. Only one caller at a time uses a session. */
export class ConnectionPool {
  private readonly pool: Pool.Pool<PrimarySession, DatabaseError>
  private readonly preferred: PreferredHosts

  private constructor(pool: Pool.Pool<PrimarySession, DatabaseError>, preferred: PreferredHosts) {
    this.pool = pool
    this.preferred = preferred
  }

  /** Makes a pool that connects when a session is first needed, and closes its connections when the scope closes. */
  static make(
    driver: Driver,
    settings: ConnectionSettings,
  ): Effect.Effect<ConnectionPool, never, Scope.Scope> {
    const preferred = new PreferredHosts(settings.hosts)
    const acquire = Effect.suspend(() => connectToPrimary(driver, settings, preferred.inOrder)).pipe(
      Effect.tap(({ host }) => Effect.sync(() => preferred.reached(host))),
    )
    const pool = Pool.makeWithTTL({ acquire, min: 0, max: settings.poolSize, timeToLive: unusedConnectionMs })
    return Effect.map(pool, (made) => new ConnectionPool(made, preferred))
  }

  /**
   * Lends a session to `work`. If `work` has not ended by the time `until`, closes the socket of the session. After
   * `work`, the pool replaces the session in three cases: `work` was interrupted, the session broke, or the server of
   * the session no longer accepts writes.
   */
  use<A, E>(
    until: number,
    work: (session: Session) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | DatabaseError> {
    return Effect.flatMap(Effect.scoped(this.useOnce(until, work)), (done) =>
      Option.isSome(done) ? Effect.succeed(done.value) : this.use(until, work),
    )
  }

  /**
   * Takes a session from the pool and runs `work` with it. If the session broke while it was in the pool, returns an
   * empty option and does not run `work`.
   */
  private useOnce<A, E>(
    until: number,
    work: (session: Session) => Effect.Effect<A, E>,
  ): Effect.Effect<Option.Option<A>, E | DatabaseError, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const duration = Math.max(0, until - (yield* Clock.currentTimeMillis))
      const taken = yield* measureWait(
        Effect.timeoutOrElse(Pool.get(this.pool), { duration, orElse: noConnection }),
      )
      const { session } = taken
      if (!session.isOpen()) {
        yield* Pool.invalidate(this.pool, taken)
        return Option.none()
      }
      yield* countInUse
      yield* Effect.forkScoped(Effect.andThen(Effect.sleep(duration), destroy(session)))
      const watched = Effect.tapError(work(session), (failure) =>
        Effect.sync(() => this.discard(session, failure)),
      )
      return Option.some(yield* Effect.onInterrupt(watched, () => destroy(session)))
    })
  }

  /**
   * Closes a session after a failure. If its server no longer accepts writes, the next connection tries the other hosts
   * first.
   */
  private discard(session: Session, failure: unknown): void {
    if (!(failure instanceof DatabaseError)) return
    if (failure.kind === "readOnly") this.preferred.nextFirst()
    if (failure.kind === "readOnly" || failure.kind === "lost") session.destroy()
  }
}

const destroy = (session: Session): Effect.Effect<void> => Effect.sync(() => session.destroy())

const noConnection = () =>
  Effect.fail(
    new DatabaseError({
      kind: "lost",
      sqlState: null,
      problem: "no connection became free in time",
    }),
  )

/** The hosts of the URL, in the order in which to try them. The host that was reached last comes first. */
class PreferredHosts {
  private hosts: ReadonlyArray<Host>

  constructor(hosts: ReadonlyArray<Host>) {
    this.hosts = hosts
  }

  get inOrder(): ReadonlyArray<Host> {
    return this.hosts
  }

  reached(host: Host): void {
    if (this.hosts[0] !== host) this.hosts = [host, ...this.hosts.filter((other) => other !== host)]
  }

  nextFirst(): void {
    const [first, ...others] = this.hosts
    if (first !== undefined) this.hosts = [...others, first]
  }
}
