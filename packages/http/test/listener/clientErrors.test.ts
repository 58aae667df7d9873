import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { createServer, ServerResponse, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { PassThrough } from "node:stream"
import { queryObjects } from "node:v8"
import { answerClientError, expiredPerTurnMax, trackResponse } from "../../src/listener/clientErrors.ts"

/**
 * Starts a server that lets a request time out as soon as its headers are read. Also returns an effect that completes
 * at the first timeout.
 */
const impatient = Effect.gen(function* () {
  const late = yield* Deferred.make<void>()
  const server = createServer({
    headersTimeout: 0,
    requestTimeout: 0,
    connectionsCheckingInterval: 10,
  })
  server.on("clientError", (error, socket) => {
    answerClientError(error, socket)
    Deferred.doneUnsafe(late, Effect.void)
  })
  server.on("request", (request, response) => {
    trackResponse(request, response)
    // The timeout is set only here. If it were set earlier, the request could time out before its headers have arrived.
    server.requestTimeout = 1
    request.resume().on("end", () => response.end("whole"))
  })
  const port = yield* Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(portOf(server))))
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
  return { late: Deferred.await(late), port }
})

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const open = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

/** Returns the first chunk of the response. */
const answerOn = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    socket.once("data", (bytes: Buffer) => resume(Effect.succeed(bytes.toString())))
  })

const begun = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nab`

it.live(
  "a slow import upload may take longer than the request timeout and gets a response once it is complete",
  () =>
    Effect.gen(function* () {
      const { late, port } = yield* impatient
      const socket = yield* open(port)
      socket.write(begun("/management/v1/workspaces/1/imports/people"))
      yield* late
      socket.write("cd")
      assert.match(yield* answerOn(socket), /^HTTP\/1\.1 200 OK\r\n[^]*whole/)
    }),
)

for (const path of ["/api/v1/customers/5", "/management/v1/workspaces/1/segments"]) {
  it.live(
    `contract §4 slow bodies: the path ${path} responds with 408 to a body that arrives too slowly`,
    () =>
      Effect.gen(function* () {
        const { port } = yield* impatient
        const socket = yield* open(port)
        socket.write(begun(path))
        assert.match(yield* answerOn(socket), /^HTTP\/1\.1 408 Request Timeout\r\n[^]*connection: close/)
      }),
  )
}

it.live("connections that expire together are closed a bounded number at a time, and each gets a 408", () =>
  Effect.gen(function* () {
    const sockets = Array.from({ length: 3 * expiredPerTurnMax - 1 }, () => new PassThrough())
    const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
    for (const socket of sockets) answerClientError(late, socket)
    const ended = () => sockets.filter(({ writableEnded }) => writableEnded).length
    const counts = [ended()]
    while (ended() < sockets.length) {
      yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
      counts.push(ended())
    }
    const closedInTurns = counts.slice(1).map((count, turn) => count - (counts[turn] ?? 0))
    assert.strictEqual(counts[0], 0)
    assert.isAtMost(Math.max(...closedInTurns), expiredPerTurnMax)
    for (const socket of sockets) assert.match(String(socket.read()), /^HTTP\/1\.1 408/)
  }),
)

it.live("an idle connection does not keep its last response in memory", () =>
  Effect.gen(function* () {
    const finished = yield* Deferred.make<void>()
    class Response extends ServerResponse {}
    const server = createServer({ ServerResponse: Response }, (request, response) => {
      trackResponse(request, response)
      response.on("close", () => Deferred.doneUnsafe(finished, Effect.void)).end("whole")
    })
    const port = yield* Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(portOf(server))))
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
    const socket = yield* open(port)
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
    yield* answerOn(socket)
    yield* Deferred.await(finished)
    yield* Effect.yieldNow
    assert.strictEqual(queryObjects(Response, { format: "count" }), 0)
    assert.isFalse(socket.destroyed)
  }),
)
