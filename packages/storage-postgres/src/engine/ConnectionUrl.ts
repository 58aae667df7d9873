import { userInfo } from "node:os"
import { Redacted, Result, Schema } from "effect"
import { defaultStartMsMax } from "./bounds.ts"

/** A server to connect to. A host that begins with a slash is the directory of a Unix socket. */
export interface Host {
  readonly name: string
  readonly port: number
}

const SslMode = Schema.Literals(["disable", "prefer", "require", "verify-ca", "verify-full"])
export type SslMode = typeof SslMode.Type

/** The content of a connection URL. */
export interface ConnectionSettings {
  /** The servers in the order of the URL. Inlet uses the first server that accepts writes. */
  readonly hosts: readonly [Host, ...ReadonlyArray<Host>]
  readonly database: string
  readonly user: string
  readonly password: Redacted.Redacted | undefined
  readonly sslMode: SslMode
  /** The PEM file with the trusted certificate authorities. If undefined, the system's authorities are trusted. */
  readonly sslRootCertificate: string | undefined
  readonly applicationName: string
  /** The largest number of milliseconds that connecting to one host may take. */
  readonly connectMsMax: number
  /** The longest time in milliseconds that a starting node waits for a database that cannot be reached. */
  readonly startMsMax: number
  /** True if connections use named prepared statements. Poolers in transaction mode may not support such statements. */
  readonly prepare: boolean
  /**
   * True if a connection listens for notifications of other nodes. Poolers in transaction mode do not deliver
   * notifications.
   */
  readonly listen: boolean
  /** The largest number of connections that this process has open at the same time. */
  readonly poolSize: number
}

/** The error for a connection URL that cannot be used. Its problem never contains the password. */
export class WrongConnectionUrl extends Schema.TaggedError<WrongConnectionUrl>()("WrongConnectionUrl", {
  problem: Schema.String,
}) {
  override get message() {
    return this.problem
  }
}

const defaultPort = 5432
const hostsMax = 10
const defaultPoolSize = 10
const poolSizeMax = 100
const defaultConnectSeconds = 2
const connectSecondsMax = 60
const startSecondsMax = 3600

/** Groups: user and password, hosts, database, parameters. `URL` cannot parse a connection URL with several hosts. */
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

/**
 * Parses a connection URL in the format of libpq:
 * `postgres://user:password@host1:5432,host2/database?sslmode=verify-full`. Accepts some parameters of libpq, and
 * Inlet's own `start_timeout`, `prepare`, `listen` and `pool_size`. Any other parameter is an error.
 */
export const parseConnectionUrl = (url: string): Result.Result<ConnectionSettings, WrongConnectionUrl> => {
  try {
    return Result.succeed(parse(url))
  } catch (cause) {
    if (cause instanceof WrongConnectionUrl) return Result.fail(cause)
    throw cause
  }
}

const wrong = (problem: string): never => {
  throw new WrongConnectionUrl({ problem })
}

/**
 * Refuses a URL in which a part of the password could be taken for a host, the database or a parameter, which errors
 * name. A raw `@` or `#` is refused in every part, because the last `@` may end the password.
 */
const checkEncoding = (url: string): void => {
  const [, rest = ""] = /^[^:]*:\/\/([^]*)$/.exec(url) ?? []
  const end = rest.search(/[/?#]/)
  const [start, others] = end < 0 ? [rest, ""] : [rest.slice(0, end), rest.slice(end)]
  if (others.includes("@") && !start.includes("@")) unencoded(others.charAt(0))
  if (others.includes("@") || start.indexOf("@") !== start.lastIndexOf("@")) unencoded("@")
  if (others.includes("#")) unencoded("#")
}

const unencoded = (character: string): never =>
  wrong(
    `the character ${character} in the user, the password or a parameter must be percent-encoded as ${encodeURIComponent(character)}`,
  )

const parse = (url: string): ConnectionSettings => {
  checkEncoding(url)
  const parts = form.exec(url) ?? wrong("expected postgres://user:password@host:port/database")
  const [, credentials = "", authority = "", path = "", query = ""] = parts
  const colon = credentials.indexOf(":")
  const given = parametersOf(query)
  const userName = decoded(colon < 0 ? credentials : credentials.slice(0, colon), "the user")
  const secret = decoded(colon < 0 ? "" : credentials.slice(colon + 1), "the password")
  const user = given.get("user") ?? (userName === "" ? userInfo().username : userName)
  const password = given.get("password") ?? secret
  const database = given.get("dbname") ?? decoded(path, "the database")
  checkSessionAttributes(given.get("target_session_attrs"))
  return {
    hosts: hostsOf(authority, given.get("host"), given.get("port")),
    database: database === "" ? user : database,
    user,
    password: password === "" ? undefined : Redacted.make(password),
    sslMode: sslModeOf(given.get("sslmode")),
    sslRootCertificate: rootCertificateOf(given.get("sslrootcert")),
    applicationName: given.get("application_name") ?? "inlet",
    connectMsMax: connectSecondsOf(given.get("connect_timeout")) * 1000,
    startMsMax: startMsOf(given.get("start_timeout")),
    prepare: booleanOf("prepare", given.get("prepare") ?? "true"),
    listen: booleanOf("listen", given.get("listen") ?? given.get("prepare") ?? "true"),
    poolSize: poolSizeOf(given.get("pool_size")),
  }
}

const known = new Set([
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "sslmode",
  "sslrootcert",
  "application_name",
  "connect_timeout",
  "start_timeout",
  "target_session_attrs",
  "prepare",
  "listen",
  "pool_size",
])

const parametersOf = (query: string): ReadonlyMap<string, string> => {
  const given = new Map<string, string>()
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals), "a parameter")
    if (!known.has(name)) wrong(`unknown parameter ${name}`)
    given.set(name, decoded(equals < 0 ? "" : pair.slice(equals + 1), name))
  }
  return given
}

const decoded = (text: string, what: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return wrong(`${what} has a percent sign that begins no percent-encoding`)
  }
}

const hostsOf = (
  authority: string,
  names: string | undefined,
  ports: string | undefined,
): ConnectionSettings["hosts"] => {
  const hosts = names === undefined ? authority.split(",").map(hostOf) : namedHosts(names, ports)
  if (hosts.length > hostsMax) wrong(`expected at most ${hostsMax} hosts`)
  const [first, ...others] = hosts
  return first === undefined ? wrong("a host is missing") : [first, ...others]
}

/** Reads the parameters `host` and `port`. One port applies to all hosts. */
const namedHosts = (names: string, ports: string | undefined): ReadonlyArray<Host> => {
  const hosts = names.split(",")
  const numbers = ports === undefined ? [] : ports.split(",")
  if (numbers.length > 1 && numbers.length !== hosts.length)
    wrong("expected one port, or as many ports as hosts")
  return hosts.map((name, index) => ({
    name: name === "" ? "localhost" : name,
    port: portOf(numbers.length > 1 ? numbers[index] : numbers[0]),
  }))
}

const hostForm = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/

const hostOf = (text: string): Host => {
  const [, address, name = "", port] =
    hostForm.exec(text) ?? wrong("hosts must be name:port, separated by commas")
  const host = address ?? decoded(name, "a host")
  return { name: host === "" ? "localhost" : host, port: portOf(port) }
}

const portOf = (text: string | undefined): number => {
  if (text === undefined || text === "") return defaultPort
  const port = Number(text)
  return Number.isInteger(port) && port >= 1 && port <= 65_535
    ? port
    : wrong("a port must be from 1 to 65535")
}

const isSslMode = Schema.is(SslMode)

const sslModeOf = (text = "prefer"): SslMode =>
  isSslMode(text) ? text : wrong(`sslmode must be one of ${SslMode.literals.join(", ")}`)

/** As in libpq, the name `system` stands for the authorities that the operating system trusts. */
const rootCertificateOf = (text: string | undefined): string | undefined =>
  text === "system" || text === "" ? undefined : text

/**
 * The accepted values of `target_session_attrs`. Inlet must write, so Inlet uses a server that accepts writes whichever
 * of these values is given.
 */
const acceptedAttributes = ["read-write", "primary", "any"]

const checkSessionAttributes = (text: string | undefined): void => {
  if (text !== undefined && !acceptedAttributes.includes(text))
    wrong("target_session_attrs must be read-write")
}

const connectSecondsOf = (text = ""): number => {
  const seconds = text === "" || text === "0" ? defaultConnectSeconds : Number(text)
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= connectSecondsMax
    ? seconds
    : wrong(`connect_timeout must be from 1 to ${connectSecondsMax} seconds`)
}

const startMsOf = (text: string | undefined): number => {
  if (text === undefined) return defaultStartMsMax
  const seconds = Number(text)
  return text !== "" && Number.isInteger(seconds) && seconds >= 0 && seconds <= startSecondsMax
    ? seconds * 1000
    : wrong(`start_timeout must be from 0 to ${startSecondsMax} seconds`)
}

const booleanOf = (name: string, text: string): boolean =>
  text === "true" || text === "false" ? text === "true" : wrong(`${name} must be true or false`)

const poolSizeOf = (text: string | undefined): number => {
  const size = text === undefined ? defaultPoolSize : Number(text)
  return Number.isInteger(size) && size >= 2 && size <= poolSizeMax
    ? size
    : wrong(`pool_size must be from 2 to ${poolSizeMax}`)
}
