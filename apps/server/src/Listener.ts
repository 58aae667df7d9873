import { Context, Effect, Latch, Layer, Option, Schedule, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createHttpsServer, Server as HttpsServer } from "node:https"
import { readCertificate, watchCertificate } from "./Certificate.ts"
import { answerClientError, follow, headersBytesMax, refuseBadFraming } from "./clientErrors.ts"
import { Settings, type Address, type TlsFiles } from "./Settings.ts"
import { startTexts } from "./startTexts.ts"

/** Headers must have arrived this long after a request began (contract §4). */
export const headersTimeoutMs = 10_000

/** A whole request; its body has a limit of its own that is reached before. */
const requestTimeoutMs = 45_000

/** How often the limits above are looked at. */
export const timeoutCheckMs = 1000

/** An idle connection is kept longer than load balancers keep theirs, so that they are the ones to close it. */
const keepAliveTimeoutMs = 65_000

/** Connections of each address. */
const connectionsMax = 10_000

/** How often connections that became idle are closed while the server stops. */
const idleCheckMs = 20

/** How long requests that are under way may take to get their answer once the server stops. */
export const drainTimeoutMs = 8000

/** What an address serves: everything, or only its own part once operators have an address of their own. */
export type Serves = "everything" | "ingestion" | "operators"

export type Handler = (serves: Serves, request: IncomingMessage, response: ServerResponse) => void

/** The address cannot be listened on. */
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

/** Addresses that work in a command pasted on this machine; both are the same unless operators have one of their own. */
export interface Addresses {
  readonly ingestion: URL
  readonly operators: URL
}

/** The server's sockets: what answers is set once everything that answers is there. */
export class Listener extends Context.Service<
  Listener,
  {
    /** Begins to listen, and answers with the handler until the scope closes. */
    listen(handler: Handler): Effect.Effect<Addresses, CannotListen>
    /** Whether the server is stopping, so that connections end with their next answer. */
    readonly isStopping: () => boolean
    /** Completes when the server begins to stop. */
    readonly stopping: Effect.Effect<void>
  }
>()("@inlet/server/Listener") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { address, operatorAddress, tls } = yield* Settings
      const stopping = yield* Latch.make(false)
      let stopped = false
      const create = yield* serverMaker(tls)
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
          const url = yield* bind(server, address, answerWith("everything", handler))
          return { ingestion: url, operators: url }
        }
        const { at, server: second } = operatorServer.value
        return {
          ingestion: yield* bind(server, address, answerWith("ingestion", handler)),
          operators: yield* bind(second, at, answerWith("operators", handler)),
        }
      })
      return Listener.of({ listen, isStopping: () => stopped, stopping: stopping.await })
    }),
  )
}

const answerWith =
  (serves: Serves, handler: Handler) => (request: IncomingMessage, response: ServerResponse) => {
    follow(request, response)
    if (refuseBadFraming(request, response)) return
    handler(serves, request, response)
  }

const options = {
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: timeoutCheckMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  maxHeaderSize: headersBytesMax,
  // We check it ourselves, since Node's answer has no body.
  requireHostHeader: false,
}

/** Returns what makes servers: of http, or of https with a certificate that is replaced when its files change. */
const serverMaker = Effect.fnUntraced(function* (tls: Option.Option<TlsFiles>) {
  if (Option.isNone(tls)) return () => prepared(createServer(options))
  let certificate = yield* readCertificate(tls.value)
  const servers: Array<HttpsServer> = []
  yield* watchCertificate(tls.value, certificate, (replaced) => {
    certificate = replaced
    for (const server of servers) server.setSecureContext(replaced)
  })
  return () => {
    const server = createHttpsServer({ ...options, ...certificate, handshakeTimeout: headersTimeoutMs })
    servers.push(server)
    return prepared(server)
  }
})

const prepared = (server: Server): Server => {
  server.maxConnections = connectionsMax
  return server.on("clientError", answerClientError)
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
      // What happens to the socket later, such as too many open files, concerns single connections.
      server.on("error", () => {})
      const address = server.address()
      const actual = typeof address === "object" && address !== null ? address.port : port
      const scheme = server instanceof HttpsServer ? "https" : "http"
      resume(Effect.succeed(new URL(`${scheme}://${reachable(host)}:${actual}`)))
    })
  })

/** An address that works in a command pasted on this machine. */
const reachable = (host: string) => {
  if (host === "0.0.0.0" || host === "::" || host === "") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

/** Accepts nothing more and waits for the answers under way, for so long. */
const stop = (server: Server): Effect.Effect<void> => {
  const closed = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })
  // A connection that gave its last answer with no word of closing is idle only after that.
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
