import { Context, Effect, Latch, Layer, Schedule, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { answerClientError, follow, headersBytesMax, refuseBadFraming } from "./clientErrors.ts"
import { Settings } from "./Settings.ts"

/** Headers must have arrived this long after a request began (contract §4). */
export const headersTimeoutMs = 10_000

/** A whole request; its body has a limit of its own that is reached before. */
const requestTimeoutMs = 45_000

/** How often the limits above are looked at. */
export const timeoutCheckMs = 1000

/** An idle connection is kept longer than load balancers keep theirs, so that they are the ones to close it. */
const keepAliveTimeoutMs = 65_000

const connectionsMax = 10_000

/** How often connections that became idle are closed while the server stops. */
const idleCheckMs = 20

/** How long requests that are under way may take to get their answer once the server stops. */
export const drainTimeoutMs = 8000

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The address cannot be listened on. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  code: Schema.String,
}) {
  override get message() {
    const why = this.code === "EADDRINUSE" ? "the port is in use (set INLET_PORT)" : this.code
    return `cannot listen on ${this.host}:${this.port}: ${why}`
  }
}

/** The server's socket: who answers is set once everything that answers is there. */
export class Listener extends Context.Service<
  Listener,
  {
    /** Begins to listen, and answers with the handler until the scope closes; gives the address. */
    listen(handler: Handler): Effect.Effect<URL, CannotListen>
    /** Whether the server is stopping, so that connections end with their next answer. */
    readonly isStopping: () => boolean
    /** Completes when the server begins to stop. */
    readonly stopping: Effect.Effect<void>
  }
>()("@inlet/server/Listener") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { host, port } = yield* Settings
      const server = createServer({
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: timeoutCheckMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        maxHeaderSize: headersBytesMax,
        // We check it ourselves, since Node's answer has no body.
        requireHostHeader: false,
      })
      server.maxConnections = connectionsMax
      server.on("clientError", answerClientError)
      const stopping = yield* Latch.make(false)
      let stopped = false
      yield* Effect.addFinalizer(() => {
        stopped = true
        return Effect.andThen(stopping.open, stop(server))
      })
      return Listener.of({
        listen: (handler) => {
          server.on("request", (request, response) => {
            follow(request, response)
            if (refuseBadFraming(request, response)) return
            handler(request, response)
          })
          return listen(server, host, port)
        },
        isStopping: () => stopped,
        stopping: stopping.await,
      })
    }),
  )
}

const listen = (server: Server, host: string, port: number): Effect.Effect<URL, CannotListen> =>
  Effect.callback((resume) => {
    const onError = (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new CannotListen({ host, port, code: error.code ?? error.message })))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      // What happens to the socket later, such as too many open files, concerns single connections.
      server.on("error", () => {})
      const address = server.address()
      const actual = typeof address === "object" && address !== null ? address.port : port
      resume(Effect.succeed(new URL(`http://${reachable(host)}:${actual}`)))
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
