import { connect as connectSocket, isIP, type Socket } from "node:net"
import type { ConnectionOptions } from "node:tls"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Driver, Session } from "./Connection.ts"
import type { ConnectionSettings, Host } from "./ConnectionUrl.ts"
import { DatabaseError, kindOfSqlState } from "./DatabaseError.ts"
import { postgresTexts } from "./postgresTexts.ts"
import { int8AsNumber } from "./int8AsNumber.ts"
import type { ArrayElement, Parameter } from "./parameters.ts"
import { WaitingStatements } from "./WaitingStatements.ts"

/** TCP keepalive detects a server that disappeared without closing its connections. */
const keepAliveMs = 10_000

/**
 * The driver that uses `@effect/sql-pg`. Statements that are started at the same time are sent in one write, unless the
 * connection URL turns named statements off for a pooler. The server executes them in the order in which they started.
 */
export const sqlPgDriver = (rootCertificates: string | undefined): Driver => ({
  connect: (host, settings) => {
    const attempts = tlsAttempts(settings, host, rootCertificates).map((ssl) => open(host, settings, ssl))
    return attempts.reduce((first, second) =>
      Effect.catchIf(
        first,
        ({ kind }) => kind === "lost",
        () => second,
      ),
    )
  },
})

/**
 * Returns the TLS settings to try, in order. Like libpq, the mode `prefer` tries TLS first and does not check
 * certificates.
 */
const tlsAttempts = (
  { sslMode }: ConnectionSettings,
  { name }: Host,
  rootCertificates: string | undefined,
): ReadonlyArray<ConnectionOptions | false> => {
  if (name.startsWith("/")) return [false]
  const common = { host: name, servername: isIP(name) === 0 ? name : "" }
  const verified = rootCertificates === undefined ? common : { ...common, ca: rootCertificates }
  switch (sslMode) {
    case "disable":
      return [false]
    case "prefer":
      return [{ ...common, rejectUnauthorized: false }, false]
    case "require":
      // If a root certificate is given, libpq also verifies the certificate chain in the mode `require`.
      return [rootCertificates === undefined ? { ...common, rejectUnauthorized: false } : chainOnly(verified)]
    case "verify-ca":
      return [chainOnly(verified)]
    case "verify-full":
      return [verified]
  }
}

/** Verifies the certificate chain, but not that the certificate is for the host. */
const chainOnly = (options: ConnectionOptions): ConnectionOptions => ({
  ...options,
  checkServerIdentity: () => undefined,
})

const open = (
  host: Host,
  settings: ConnectionSettings,
  ssl: ConnectionOptions | false,
): Effect.Effect<Session, DatabaseError, Scope.Scope> =>
  Effect.suspend(() => {
    let socket: Socket | undefined
    const { applicationName, connectMsMax, database, password, prepare, user } = settings
    const connecting = PgConnection.make({
      host: host.name,
      port: host.port,
      // `@effect/sql-pg` calls this function first for the session, and later for each request to cancel a statement,
      // which needs a connection of its own. Only the first socket belongs to the session.
      stream: () => {
        const made = socketTo(host)
        socket ??= made
        return made
      },
      ssl,
      database,
      username: user,
      password,
      applicationName,
      startupParameters: { client_encoding: "UTF8" },
      connectTimeout: connectMsMax,
      prepare,
      multiplex: prepare,
      types,
    })
    return Effect.mapBoth(connecting, {
      onFailure: failureOf,
      onSuccess: (connection) => sessionOn(connection, () => socket),
    })
  })

const socketTo = ({ name, port }: Host): Socket =>
  name.startsWith("/")
    ? connectSocket({ path: `${name}/.s.PGSQL.${port}` })
    : connectSocket({
        host: name,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveMs,
      })

const sessionOn = (connection: PgConnection.PgConnection, socket: () => Socket | undefined): Session => {
  const waiting = new WaitingStatements()
  const run = (sql: string, parameters: ReadonlyArray<Parameter> = []) =>
    Effect.mapError(connection.query(sql, bound(parameters)), failureOf)
  const control = (sql: string) => Effect.mapError(connection.query(sql, [], false), failureOf)
  return {
    rowForm: "placed",
    toldProcess: connection.processId,
    query: (sql, parameters) => Effect.map(waiting.runBefore(run(sql, parameters)), ({ rows }) => rows),
    queryByIndex: (sql, parameters = []) =>
      waiting.runBefore(Effect.mapError(connection.queryValues(sql, bound(parameters)), failureOf)),
    execute: (sql, parameters) =>
      Effect.map(waiting.runBefore(run(sql, parameters)), ({ rowCount }) => rowCount),
    executeWithNext: (sql, parameters) => waiting.add(run(sql, parameters)),
    control: (sql) => Effect.map(waiting.runBefore(control(sql)), ({ command }) => command),
    // If it fails, the session is broken, and its next user gets the failure.
    endRead: () =>
      Effect.asVoid(
        Effect.forkDetach(Effect.ignore(waiting.runBefore(control("COMMIT"))), { startImmediately: true }),
      ),
    beginWithNext: (sql) => waiting.begin(control(sql)),
    begun: () => waiting.runBegin(),
    isOpen: () => socket()?.readyState === "open",
    destroy: () => void socket()?.destroy(),
    listen: (channel) => Effect.mapError(connection.listen(channel), failureOf),
  }
}

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, int8AsNumber, { arrayOid: PgTypes.OID.int8Array })

const arrayTypes: Readonly<Record<ArrayElement, number>> = {
  int8: PgTypes.OID.int8Array,
  int2: PgTypes.OID.int2Array,
  bool: PgTypes.OID.boolArray,
  text: PgTypes.OID.textArray,
  bytea: PgTypes.OID.byteaArray,
}

const bound = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<unknown> => parameters.map(boundParameter)

const boundParameter = (parameter: Parameter): unknown => {
  if (typeof parameter === "number") return parameterOf(PgTypes.OID.int8, parameter)
  if (parameter === null || typeof parameter !== "object" || parameter instanceof Uint8Array) return parameter
  return parameterOf(arrayTypes[parameter.element], parameter.values)
}

const parameterOf = (oid: number, value: unknown): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid,
  value,
})

const tooManyConnections = "53300"

/** Translates an error of `@effect/sql-pg`. Only errors that the server reported have a severity and an SQLSTATE. */
const failureOf = ({ reason }: SqlError.SqlError): DatabaseError => {
  const { cause } = reason
  if (!(cause instanceof Error))
    return new DatabaseError({ kind: "lost", sqlState: null, problem: reason.message })
  if ("severity" in cause && "code" in cause && typeof cause.code === "string") {
    return new DatabaseError({
      kind: kindOfSqlState(cause.code),
      sqlState: cause.code,
      problem:
        cause.code === tooManyConnections
          ? postgresTexts.noConnectionLeft({ problem: cause.message })
          : cause.message,
    })
  }
  const problem = problemOf(cause)
  if (reason._tag === "AuthenticationError")
    return new DatabaseError({ kind: "refused", sqlState: null, problem })
  const kind = reason._tag === "ConnectionError" ? kindOfBrokenConnection(cause) : "defect"
  return new DatabaseError({ kind, sqlState: null, problem })
}

const certificateCode = /CERT|SIGNATURE|ISSUER/

/**
 * An untrusted certificate stays untrusted until an operator acts. Any other broken connection may be a temporary
 * outage.
 */
const kindOfBrokenConnection = (cause: Error): "untrusted" | "lost" =>
  "code" in cause && typeof cause.code === "string" && certificateCode.test(cause.code) ? "untrusted" : "lost"

/**
 * If a host has several addresses and all fail, Node reports one error without a message, which contains the individual
 * errors.
 */
const problemOf = (cause: Error): string => {
  if (cause.message !== "") return cause.message
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name
}
