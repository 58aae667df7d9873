import { Context, Effect, Latch, Layer, Option, Schedule, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Socket, type BlockList } from "node:net"
import { createServer as createHttpsServer, Server as HttpsServer } from "node:https"
import { addressOf } from "./addressOf.ts"
import { readCertificate, watchCertificate } from "./Certificate.ts"
import {
  answerClientError,
  clientRefusal,
  trackResponse,
  headersBytesMax,
  refuseBadFraming,
} from "./clientErrors.ts"
import { limitConnections } from "./connectionLimit.ts"
import { HttpSettings, type Address, type TlsFiles } from "../HttpSettings.ts"
import { RefusedCalls } from "./RefusedCalls.ts"
import { startTexts } from "./startTexts.ts"

/** The time limit for the headers of a request to arrive (contract §4). */
export const headersTimeoutMs = 10_000

/** The time limit for a whole request to arrive. Ingestion bodies have a shorter limit (`bodyTimeoutMs`). */
const requestTimeoutMs = 45_000

/**
 * The interval, in milliseconds, at which Node checks the time limits of requests. It is short, so that few of the
 * connections that were opened in a burst expire at the same check.
 */
export const timeoutCheckMs = 100

/**
 * The time after which an idle connection is closed. Load balancers close idle connections earlier, often after 60
 * seconds. Therefore they never send a request on a connection that the server is closing.
 */
export const keepAliveTimeoutMs = 65_000

/** The largest number of connections to one listening address. */
const connectionsMax = 10_000

/** The interval, in milliseconds, at which a stopping server closes idle connections. */
const idleCheckMs = 20

/** The longest time that a stopping server waits for responses in progress. */
export const drainTimeoutMs = 8000

/**
 * The paths that an address serves. An address serves all paths, unless operators have a separate address. In that
 * case, one address serves only ingestion, and the other address serves only the paths for operators.
 */
export type AddressRole = "everything" | "ingestion" | "operators"

export type Handler = (serves: AddressRole, request: IncomingMessage, response: ServerResponse) => void

/** The server cannot listen on an address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  variable: Schema.String,
  code: Schema.String,
}) {
  override get message() {
    const { code, host, port, variable } = this
    return code === "EADDRINUSE"
      ? startTexts.portInUse({ host, port, variable })
      : startTexts.cannotListen({ host, port, code })
  }
}

/** The URLs of the server for use on this machine. The two URLs are equal unless operators have a separate address. */
export interface Addresses {
  readonly ingestion: URL
  readonly operators: URL
}

/** The server's sockets. The sockets start to listen when `listen` is called with a request handler. */
export class Listener extends Context.Service<
  Listener,
  {
    /** Listens and passes requests to the handler until the scope closes. */
    listen(handler: Handler): Effect.Effect<Addresses, CannotListen>
    /** Returns true while the server is stopping. Each response of a stopping server must close its connection. */
    readonly isStopping: () => boolean
    /** Completes when the server begins to stop. */
    readonly stopping: Effect.Effect<void>
  }
>()("@inlethq/http/listener/Listener") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { address, operatorAddress, tls, trustedProxies } = yield* HttpSettings
      const refused = yield* RefusedCalls
      const stopping = yield* Latch.make(false)
      let stopped = false
      const create = yield* serverMaker(tls, trustedProxies, refused)
      const server = create()
      const operatorServer = Option.map(operatorAddress, (at) => ({ at, server: create() }))
      const servers = [server, ...Option.toArray(operatorServer).map(({ server }) => server)]
      yield* Effect.addFinalizer(() => {
        stopped = true
        return Effect.andThen(
          stopping.open,
          Effect.forEach(servers, stop, { concurrency: "unbounded", discard: true }),
        )
      })
      const listen = Effect.fnUntraced(function* (handler: Handler) {
        if (Option.isNone(operatorServer)) {
          const url = yield* bind(server, address, answerWith("everything", handler, refused))
          return { ingestion: url, operators: url }
        }
        const { at, server: second } = operatorServer.value
        return {
          ingestion: yield* bind(server, address, answerWith("ingestion", handler, refused)),
          operators: yield* bind(second, at, answerWith("operators", handler, refused)),
        }
      })
      return Listener.of({ listen, isStopping: () => stopped, stopping: stopping.await })
    }),
  )
}

const answerWith =
  (serves: AddressRole, handler: Handler, refused: RefusedCalls["Service"]) =>
  (request: IncomingMessage, response: ServerResponse) => {
    trackResponse(request, response)
    if (refuseBadFraming(request, response)) {
      return refused.count("bad_framing", addressOf(request.socket) ?? null)
    }
    handler(serves, request, response)
  }

const options = {
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: timeoutCheckMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  maxHeaderSize: headersBytesMax,
  // Node's own 400 for a missing `Host` header has no body. Therefore `framingFault` checks the header instead.
  requireHostHeader: false,
}

/**
 * Returns a function that creates HTTP servers. With a certificate, it creates HTTPS servers and replaces the
 * certificate when its files change.
 */
const serverMaker = Effect.fnUntraced(function* (
  tls: Option.Option<TlsFiles>,
  trusted: BlockList | null,
  refused: RefusedCalls["Service"],
) {
  if (Option.isNone(tls)) return () => prepared(createServer(options), trusted, refused)
  let certificate = yield* readCertificate(tls.value)
  const servers: Array<HttpsServer> = []
  yield* watchCertificate(tls.value, certificate, (replaced) => {
    certificate = replaced
    for (const server of servers) server.setSecureContext(replaced)
  })
  return () => {
    const server = createHttpsServer({ ...options, ...certificate, handshakeTimeout: headersTimeoutMs })
    servers.push(server)
    return prepared(server, trusted, refused)
  }
})

const prepared = (server: Server, trusted: BlockList | null, refused: RefusedCalls["Service"]): Server => {
  server.maxConnections = connectionsMax
  limitConnections(server, trusted)
  return server.on("clientError", (error, socket) => {
    const reason = clientRefusal(error)
    const address = socket instanceof Socket ? (addressOf(socket) ?? null) : null
    if (reason !== undefined) refused.count(reason, address)
    answerClientError(error, socket)
  })
}

const bind = (
  server: Server,
  { host, port, variable }: Address,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Effect.Effect<URL, CannotListen> =>
  Effect.callback((resume) => {
    server.on("request", answer)
    const onError = (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new CannotListen({ host, port, variable, code: error.code ?? error.message })))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      // An error after the start, such as too many open files, affects only some connections and must not end the
      // process.
      server.on("error", () => {})
      const address = server.address()
      const actual = typeof address === "object" && address !== null ? address.port : port
      const scheme = server instanceof HttpsServer ? "https" : "http"
      resume(Effect.succeed(new URL(`${scheme}://${reachable(host)}:${actual}`)))
    })
  })

/**
 * Returns a host for use in URLs on this machine. A wildcard address becomes loopback, and an IPv6 address gets
 * brackets.
 */
const reachable = (host: string) => {
  if (host === "0.0.0.0" || host === "::" || host === "") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

/**
 * Stops accepting connections and waits up to `drainTimeoutMs` for the responses in progress, then closes all
 * connections.
 */
const stop = (server: Server): Effect.Effect<void> => {
  const closed = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })
  // `server.close()` closes only connections that are idle at that moment. Connections with a response in progress
  // become idle later, so idle connections are closed repeatedly.
  const closingIdle = Effect.sync(() => server.closeIdleConnections()).pipe(
    Effect.repeat(Schedule.spaced(idleCheckMs)),
  )
  return Effect.raceFirst(closed, Effect.as(closingIdle, undefined)).pipe(
    Effect.timeoutOrElse({
      duration: drainTimeoutMs,
      orElse: () => Effect.sync(() => server.closeAllConnections()),
    }),
  )
}
