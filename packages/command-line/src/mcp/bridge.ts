import { Console, Effect, FiberSet, Redacted, Ref, Stdio, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection } from "../server/Connection.ts"
import { failure, messagesIn, readMessage, routingHeaders, type Message } from "./Message.ts"

/** What the older protocols agree on when a session begins. */
interface Session {
  readonly id: string
  readonly version: string
  /** The message with which the session began, which begins another one if the server has forgotten it. */
  readonly opening: string
}

interface Answer {
  readonly status: number
  readonly sessionId: string | undefined
  readonly messages: ReadonlyArray<string>
}

/** Sends messages to the MCP endpoint of the selected server. */
const makeSend = Effect.fnUntraced(function* (mayWrite: boolean) {
  const { token, url, workspace } = yield* Connection
  const secret = Redacted.value(yield* Effect.fromResult(token))
  const client = yield* HttpClient.HttpClient
  return Effect.fnUntraced(function* (text: string, headers: Readonly<Record<string, string>>) {
    const response = yield* HttpClientRequest.post(`${url}/mcp`, {
      headers: {
        accept: "application/json, text/event-stream",
        "inlet-workspace": String(workspace),
        ...(mayWrite ? { "inlet-allow": "write" } : {}),
        ...headers,
      },
    }).pipe(
      HttpClientRequest.bearerToken(secret),
      HttpClientRequest.bodyText(text, "application/json"),
      client.execute,
    )
    const { headers: answered, status } = response
    const messages = messagesIn(answered["content-type"] ?? "", yield* response.text)
    return { status, sessionId: answered["mcp-session-id"], messages } satisfies Answer
  })
})

type Send = Effect.Success<ReturnType<typeof makeSend>>

const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })

const headersOf = (session: Session | null): Readonly<Record<string, string>> =>
  session === null ? {} : { "mcp-session-id": session.id, "mcp-protocol-version": session.version }

/** Returns the session that an answer to `opening` began, or null if it began none. */
const begun = (opening: string, { messages, sessionId }: Answer): Session | null => {
  const [first = ""] = messages
  const version = readMessage(first).result?.protocolVersion
  return sessionId === undefined || version === undefined ? null : { id: sessionId, version, opening }
}

/** Sends a message within the session. A server that was restarted has forgotten it, so it is begun again. */
const makeDeliver = (send: Send, session: Ref.Ref<Session | null>) =>
  Effect.fnUntraced(function* (text: string, message: Message) {
    const routed = routingHeaders(message)
    if (Object.keys(routed).length > 0) return yield* send(text, routed)
    if (message.method === "initialize") {
      const answer = yield* send(text, {})
      yield* Ref.set(session, begun(text, answer))
      return answer
    }
    const current = yield* Ref.get(session)
    const answer = yield* send(text, headersOf(current))
    if (answer.status !== 404 || current === null) return answer
    const again = begun(current.opening, yield* send(current.opening, {}))
    yield* Ref.set(session, again)
    yield* send(initialized, headersOf(again))
    return yield* send(text, headersOf(again))
  })

const problemOf = ({ messages, status }: Answer): string => {
  const [text = ""] = messages
  const detail = /"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  if (status === 401) return cliTexts.wrongToken()
  return detail ?? `HTTP ${status}`
}

/**
 * Passes messages of the Model Context Protocol, one a line, from standard input to the server, and what it answers to standard output. Calls of
 * tools run beside each other. Every other message waits for the one before, because a session has an order in which it begins.
 */
export const runBridge = Effect.fnUntraced(function* (mayWrite: boolean) {
  const { url } = yield* Connection
  const stdio = yield* Stdio.Stdio
  const deliver = makeDeliver(yield* makeSend(mayWrite), yield* Ref.make<Session | null>(null))
  const calls = yield* FiberSet.make()

  const pass = Effect.fnUntraced(function* (text: string) {
    const message = readMessage(text)
    const answer = yield* Effect.result(deliver(text, message))
    if (answer._tag === "Failure") {
      const problem = cliTexts.serverUnreachable({ origin: new URL(url).origin })
      return message.id === undefined
        ? yield* Console.error(problem)
        : yield* Console.log(failure(message, problem))
    }
    const isRpc = answer.success.messages.every((one) => one.includes('"jsonrpc"'))
    if (answer.success.status >= 400 && (!isRpc || answer.success.messages.length === 0)) {
      const problem = problemOf(answer.success)
      return message.id === undefined
        ? yield* Console.error(problem)
        : yield* Console.log(failure(message, problem))
    }
    for (const one of answer.success.messages) yield* Console.log(one)
  })

  yield* stdio.stdin.pipe(
    Stream.mapError((error) => new CommandFailed({ message: error.message })),
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.runForEach((line) =>
      readMessage(line).method === "tools/call" ? Effect.asVoid(FiberSet.run(calls, pass(line))) : pass(line),
    ),
  )
  yield* FiberSet.awaitEmpty(calls)
}, Effect.scoped)
