import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Predicate, type Scope } from "effect"
import { HttpApi } from "effect/http-api"
import { AnswerLimiter, type AnswerBounds } from "../../src/management/answers/AnswerLimiter.ts"

const patient = 120_000

const bounds: AnswerBounds = {
  listsMax: 4,
  documentsMax: 4,
  streamsMax: 2,
  streamsPerTokenMax: 100,
  streamsPerWorkspaceMax: 100,
  filesMax: 4,
  webhookTestsMax: 4,
  waitingMax: 100,
  pipelinedMax: 4,
  waitingMs: patient,
  stalledMs: patient,
  answerMs: patient,
}

const list = `${managementPath}/workspaces/1/activity`
const stream = `${list}/stream`
const ofApi = (path: string): string => `${managementPath}${path}`

/** The paths of the contract that answer with a stream, with 1 for each parameter. */
const streamsOfContract = (): Array<string> => {
  const found: Array<string> = []
  HttpApi.reflect(ManagementApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const isStream = [...endpoint.success].some(
        (success) => Predicate.isTagged(success, "StreamNdjson") || Predicate.isTagged(success, "StreamSse"),
      )
      if (isStream) found.push(endpoint.path.replaceAll(/:\w+/g, "1"))
    },
  })
  return found
}

const webhookTest = `${managementPath}/workspaces/1/webhooks/5d0c2b7f9a4e1836ce0b/test`

/**
 * The size of a response. The response is larger than the socket buffers, so that the server cannot finish the response
 * while the client does not read.
 */
const largeAnswer = Buffer.alloc(32 * 1024 * 1024)

interface Served {
  readonly port: number
  /** The number of requests received so far. */
  received: number
  /** The number of responses in progress. */
  open: number
  /** The highest value of `open` so far. */
  most: number
  /** The number of responses started so far. */
  begun: number
  readonly changed: () => Promise<void>
}

const large = (response: ServerResponse): void => void response.end(largeAnswer)

/** The path of a list with a response that fits into the socket buffers. */
const smallList = `${list}?small`

const smallOrLarge = (response: ServerResponse, { url }: IncomingMessage): void =>
  url === smallList ? void response.end("{}") : large(response)

/** Returns the token that a test puts into the query of a path. */
const tokenIn = (url = ""): string => /[?]token=(\w+)/.exec(url)?.[1] ?? "a token"

const here = (token: string) => `${stream}?token=${token}`
const elsewhere = (token: string) => here(token).replace("/1/", "/2/")

/** Starts a server that sends its responses through an `AnswerLimiter`. */
const served = (
  given: Partial<AnswerBounds>,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.gen(function* () {
    const limiter = new AnswerLimiter(
      ({ headers, url }, decided) => decided(headers.authorization === "none" ? null : tokenIn(url)),
      {
        ...bounds,
        ...given,
      },
    )
    let signal = Promise.withResolvers<void>()
    const change = () => {
      signal.resolve()
      signal = Promise.withResolvers<void>()
    }
    const server = createServer((request, response) => {
      state.received++
      limiter.admit(request, response, () => {
        state.open++
        state.begun++
        state.most = Math.max(state.most, state.open)
        // This listener must run before the limiter's own listener, because the limiter's listener starts the next
        // response.
        response.prependOnceListener("close", () => {
          state.open--
          change()
        })
        answer(response, request)
        change()
      })
      change()
    })
    const port = yield* Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(isPort(address) ? address.port : 0))
      })
    })
    const state: Served = { port, received: 0, open: 0, most: 0, begun: 0, changed: () => signal.promise }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
    )
    return state
  })

const isPort = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null

/** Sends a request and reads nothing of the response. */
const askAndIgnore = (
  port: number,
  path: string,
  method = "GET",
): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(headOf(path, method))
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
      socket.pause()
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

/** The requests that a client sends at once on one connection, all without valid credentials. */
const unauthorized = (path: string, count: number): string =>
  `GET ${path} HTTP/1.1\r\nhost: h\r\nauthorization: none\r\n\r\n`.repeat(count)

const until = (state: Served, condition: () => boolean): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (!condition()) await state.changed()
  })

/** Sends a request and reads the whole response. Fails if the server closes the connection before the end. */
const ask = (port: number, path: string, method = "GET") =>
  Effect.callback<{ readonly status: number | undefined; readonly retryAfter: string | undefined }, Error>(
    (resume) => {
      const failed = (cause: Error) => resume(Effect.fail(cause))
      const outgoing = request({ port, host: "127.0.0.1", path, method, agent: false }, (incoming) => {
        const { headers, statusCode } = incoming
        incoming
          .resume()
          .once("error", failed)
          .once("end", () =>
            resume(Effect.succeed({ status: statusCode, retryAfter: headers["retry-after"] })),
          )
      })
      outgoing.once("error", failed)
      outgoing.end()
    },
  )

const headOf = (path: string, method = "GET"): string => `${method} ${path} HTTP/1.1\r\nhost: h\r\n\r\n`

const clients = Array.from({ length: 40 }, (_, i) => i)

describe("AnswerLimiter", () => {
  it.live(
    "responses in progress are limited, and clients that do not read their responses are disconnected",
    () =>
      Effect.gen(function* () {
        const state = yield* served({ stalledMs: 100 }, smallOrLarge)
        yield* Effect.forEach(clients, () => askAndIgnore(state.port, list), { concurrency: 10 })
        yield* until(state, () => state.begun === clients.length && state.open === 0)
        assert.strictEqual(state.most, bounds.listsMax)
        // This list is small. On a busy machine, reading a large list could pause for the 100 ms of `stalledMs`, and
        // the server would disconnect the client.
        assert.deepStrictEqual(yield* ask(state.port, smallList), { status: 200, retryAfter: undefined })
      }).pipe(Effect.scoped),
  )

  it.live("a path with percent-encoded letters counts like the path without them", () =>
    Effect.gen(function* () {
      const state = yield* served({ waitingMax: 0 }, large)
      const encoded = list.replace("management", "manag%65ment").replace("activity", "activit%79")
      const asked = Array.from({ length: bounds.listsMax }, () => askAndIgnore(state.port, encoded))
      yield* Effect.all(asked)
      yield* until(state, () => state.open === bounds.listsMax)
      assert.strictEqual((yield* ask(state.port, list)).status, 503)
      assert.strictEqual((yield* ask(state.port, encoded)).status, 503)
    }).pipe(Effect.scoped),
  )

  it.live(
    "a response that is larger than the socket buffers is sent completely to a client that reads it",
    () =>
      Effect.gen(function* () {
        const state = yield* served({}, large)
        assert.deepStrictEqual(yield* ask(state.port, list), { status: 200, retryAfter: undefined })
      }).pipe(Effect.scoped),
  )

  it.live(
    "a request for a single document is answered even while the largest number of responses with lists is in progress",
    () =>
      Effect.gen(function* () {
        const state = yield* served({}, (response, { url }) => {
          if (url === list) large(response)
          else response.end("{}")
        })
        yield* Effect.forEach(clients, () => askAndIgnore(state.port, list), { concurrency: 10 })
        yield* until(state, () => state.open === bounds.listsMax)
        assert.strictEqual((yield* ask(state.port, `${managementPath}/workspaces/1`)).status, 200)
      }).pipe(Effect.scoped),
  )

  it.live(
    "only a limited number of webhook tests runs at once, and further tests wait until an earlier test has ended",
    () =>
      Effect.gen(function* () {
        const unanswered: Array<ServerResponse> = []
        const state = yield* served({}, (response) => void unanswered.push(response))
        const tests = Effect.forEach(clients, () => ask(state.port, webhookTest, "POST"), {
          concurrency: "unbounded",
        })
        const answers = yield* Effect.forkScoped(tests)
        yield* until(state, () => state.received === clients.length)
        for (let answered = 0; answered < clients.length; answered++) {
          yield* until(state, () => unanswered.length > 0)
          unanswered.shift()?.end("{}")
        }
        const statuses = (yield* Fiber.join(answers)).map(({ status }) => status)
        assert.deepStrictEqual(statuses, Array(clients.length).fill(200))
        assert.strictEqual(state.most, bounds.webhookTestsMax)
      }).pipe(Effect.scoped),
  )

  it.live("a test of a webhook gets a 503 with Retry-After if too many tests are waiting", () =>
    Effect.gen(function* () {
      const state = yield* served({ webhookTestsMax: 1, waitingMax: 0 }, large)
      yield* askAndIgnore(state.port, webhookTest, "POST")
      yield* until(state, () => state.open === 1)
      assert.deepStrictEqual(yield* ask(state.port, webhookTest, "POST"), { status: 503, retryAfter: "1" })
    }).pipe(Effect.scoped),
  )

  it.live("a management call gets a 503 with Retry-After if too many calls are waiting", () =>
    Effect.gen(function* () {
      const state = yield* served({ listsMax: 1, waitingMax: 0 }, large)
      yield* askAndIgnore(state.port, list)
      yield* until(state, () => state.open === 1)
      assert.deepStrictEqual(yield* ask(state.port, list), { status: 503, retryAfter: "1" })
    }).pipe(Effect.scoped),
  )

  it.live("a management call that has waited too long gets a 503", () =>
    Effect.gen(function* () {
      const state = yield* served({ listsMax: 1, waitingMs: 1 }, large)
      yield* askAndIgnore(state.port, list)
      yield* until(state, () => state.open === 1)
      assert.strictEqual((yield* ask(state.port, list)).status, 503)
    }).pipe(Effect.scoped),
  )

  it.live("calls without valid credentials take no slots", () =>
    Effect.gen(function* () {
      const state = yield* served({ listsMax: 1, streamsMax: 1, waitingMax: 0 }, (response, { headers }) => {
        if (headers.authorization !== "none") response.end("{}")
      })
      const socket = yield* askAndIgnore(state.port, list)
      socket.write(unauthorized(list, 10) + unauthorized(stream, 10))
      yield* until(state, () => state.begun === 21)
      for (const path of [list, stream]) assert.strictEqual((yield* ask(state.port, path)).status, 200)
    }).pipe(Effect.scoped),
  )

  it.live("the calls of one connection have at most one slot at a time, and each is answered", () =>
    Effect.gen(function* () {
      const unanswered: Array<ServerResponse> = []
      const state = yield* served({ waitingMax: 0 }, (response) => void unanswered.push(response))
      const socket = yield* askAndIgnore(state.port, stream)
      yield* until(state, () => state.open === 1)
      socket.write(headOf(list) + headOf(stream) + headOf(list))
      yield* until(state, () => state.received === 4)
      for (let answered = 0; answered < 4; answered++) {
        yield* until(state, () => unanswered.length > 0)
        assert.strictEqual(state.open, 1)
        unanswered.shift()?.end("{}")
      }
    }).pipe(Effect.scoped),
  )

  it.live("a call is refused if too many earlier calls on its connection are unanswered", () =>
    Effect.gen(function* () {
      const unanswered: Array<ServerResponse> = []
      const state = yield* served({}, (response) => void unanswered.push(response))
      const socket = yield* askAndIgnore(state.port, list)
      let text = ""
      socket.on("data", (bytes: Buffer) => (text += bytes.toString())).resume()
      socket.write(headOf(list).repeat(bounds.pipelinedMax + 1))
      yield* until(state, () => state.received === bounds.pipelinedMax + 2)
      for (let answered = 0; answered <= bounds.pipelinedMax; answered++) {
        yield* until(state, () => unanswered.length > 0)
        unanswered.shift()?.end("{}")
      }
      yield* Effect.callback<void>((resume) => {
        const seen = () => void (text.includes("HTTP/1.1 503") && resume(Effect.void))
        socket.on("data", seen)
        seen()
      })
      assert.lengthOf(text.match(/HTTP\/1\.1 200/g) ?? [], bounds.pipelinedMax + 1)
    }).pipe(Effect.scoped),
  )

  it.live("a connection that ends frees its slot, even if a response before it is not complete", () =>
    Effect.gen(function* () {
      const state = yield* served({ listsMax: 1, waitingMax: 0 }, (response, { headers, url }) => {
        if (url === list && headers.authorization !== "none") response.write("{")
      })
      const socket = yield* askAndIgnore(state.port, stream)
      socket.destroy()
      yield* until(state, () => state.received === 1)
      const behind = yield* askAndIgnore(state.port, `${managementPath}/workspaces`, "POST")
      behind.write(headOf(list))
      yield* until(state, () => state.received === 3)
      assert.strictEqual((yield* ask(state.port, list)).status, 503)
      behind.destroy()
      yield* Effect.promise(async () => {
        for (;;) {
          const next = await Effect.runPromise(Effect.scoped(askAndIgnore(state.port, list)))
          if (state.begun > 3) return void next.destroy()
          await state.changed()
        }
      })
    }).pipe(Effect.scoped),
  )

  it.live(
    "every stream of the contract may take longer than other responses, and lists share few slots",
    () =>
      Effect.gen(function* () {
        const state = yield* served(
          { streamsMax: 100, listsMax: 1, answerMs: 20, waitingMax: 0 },
          (response) => {
            response.write("{")
          },
        )
        const streams = streamsOfContract()
        assert.includeMembers(
          streams,
          ["/audit/export", "/erasure-ledger", "/workspaces/1/people/1/export"].map(ofApi),
        )
        yield* Effect.forEach(streams, (path) => askAndIgnore(state.port, path))
        yield* until(state, () => state.open === streams.length)
        // Both would be cut in the order of their arrival.
        yield* askAndIgnore(state.port, ofApi("/audit"))
        yield* until(state, () => state.open === streams.length + 1)
        assert.strictEqual((yield* ask(state.port, ofApi("/workspaces/1/erasures"))).status, 503)
        yield* until(state, () => state.open === streams.length)
      }).pipe(Effect.scoped),
  )

  it.live("a token and a workspace have a share of the streams", () =>
    Effect.gen(function* () {
      const shares = { streamsMax: 10, streamsPerTokenMax: 2, streamsPerWorkspaceMax: 3 }
      const state = yield* served(shares, (response, { url }) => {
        if (url?.includes("workspaces/2/") === true) response.end("{}")
        else response.write("id: 0\n: here\n\n")
      })
      const [first] = yield* Effect.forEach([1, 2], () => askAndIgnore(state.port, here("one")))
      yield* until(state, () => state.open === 2)
      assert.strictEqual((yield* ask(state.port, here("one"))).status, 503)
      assert.strictEqual((yield* ask(state.port, elsewhere("one"))).status, 503)
      yield* askAndIgnore(state.port, here("two"))
      yield* until(state, () => state.open === 3)
      assert.strictEqual((yield* ask(state.port, here("two"))).status, 503)
      assert.strictEqual((yield* ask(state.port, elsewhere("two"))).status, 200)
      first?.destroy()
      yield* until(state, () => state.open === 2)
      assert.strictEqual((yield* ask(state.port, elsewhere("one"))).status, 200)
    }).pipe(Effect.scoped),
  )

  it.live("streams above the limit get a 503, but streams without data stay open", () =>
    Effect.gen(function* () {
      const state = yield* served({ stalledMs: 1 }, (response) => {
        response.write("id: 0\n: here\n\n")
      })
      const [first] = yield* Effect.forEach([1, 2], () => askAndIgnore(state.port, stream))
      yield* until(state, () => state.open === bounds.streamsMax)
      assert.strictEqual((yield* ask(state.port, stream)).status, 503)
      assert.strictEqual(state.open, bounds.streamsMax)
      first?.destroy()
      yield* until(state, () => state.open === 1)
    }).pipe(Effect.scoped),
  )
})
