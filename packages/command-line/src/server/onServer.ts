import { InvalidRequest, Unauthorized } from "@inlethq/contract/access/Problem"
import { Effect, Schema } from "effect"
import { HttpClientError } from "effect/http"
import { CommandFailed, WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection, managementLayer } from "./Connection.ts"

/**
 * Runs a command with a client of the management API of the selected server, and turns connection errors into messages
 * with advice.
 */
export const onServer = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  onIngestion(Effect.provide(effect, managementLayer))

/**
 * Runs a command with the connection to the selected server, and turns connection errors into messages with advice.
 * Needs no management token.
 */
export const onIngestion = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.mapError(explained), Effect.provide(Connection.layer))

const messageOf = (reason: HttpClientError.HttpClientErrorReason, origin: string): string => {
  if (reason._tag === "TransportError") {
    const problem = codeOf(reason.cause)
    return tlsCode.test(problem)
      ? cliTexts.tlsFailed({ origin, problem })
      : cliTexts.serverUnreachable({ origin })
  }
  // Reading the body of a response fails with a TypeError if the connection closes, and with a SyntaxError if the body
  // is not JSON.
  const isLost = reason._tag === "DecodeError" && reason.cause instanceof TypeError
  return isLost ? cliTexts.connectionLost({ origin }) : cliTexts.notInlet({ origin })
}

/** The codes of errors in TLS and its certificates, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
const tlsCode = /SSL|TLS|CERT|SIGNATURE/

/** Returns the code of a failed `fetch`, such as `ECONNREFUSED`. Returns an empty text if the code is missing. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ""
  return "code" in error ? String(error.code) : codeOf(error.cause)
}

const explained = <E>(error: E): E | CommandFailed | WrongOption => {
  if (HttpClientError.isHttpClientError(error)) {
    const { origin } = new URL(error.request.url)
    return new CommandFailed({ message: messageOf(error.reason, origin) })
  }
  if (error instanceof Unauthorized) return new CommandFailed({ message: cliTexts.wrongToken() })
  if (error instanceof InvalidRequest) return new WrongOption({ message: error.message })
  if (Schema.isSchemaError(error)) {
    const problem = error.message.replaceAll(/\s+/g, " ")
    return new WrongOption({ message: cliTexts.notInContract({ problem }) })
  }
  return error
}
