import { Clock, Effect, Option, Result } from "effect"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { restOfUnknown, withOmitted } from "@inlethq/wire/decoding/omitted"
import type { Client } from "@inlethq/wire/decoding/Receipt"
import { reject } from "@inlethq/wire/decoding/reject"
import { withSent } from "@inlethq/wire/decoding/sentCall"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { IncomingMessage } from "node:http"
import { Authenticator } from "../credentials/Authenticator.ts"
import { withSender } from "../credentials/Senders.ts"
import type { Answer } from "./Answer.ts"
import type { Services } from "./Call.ts"
import { commit } from "./commit.ts"
import { ingestionTexts } from "./ingestionTexts.ts"
import { parseJson } from "./JsonBody.ts"
import { workspaceByHeader } from "./pipelines.ts"
import type { Protocol } from "./Protocol.ts"
import { readRawBody } from "./requestBody.ts"
import { whereAdmitted } from "./whereAdmitted.ts"

/** A call to a path or with a method that no endpoint has. */
interface Unrouted {
  readonly protocol: Protocol
  readonly request: IncomingMessage
  readonly client: Client
  readonly fault: Fault
  readonly answer: Answer
}

/**
 * Answers a call that no endpoint takes. If its `Authorization` header opens a workspace, the call is recorded there as
 * rejected, with what it sent (contract §4).
 */
export const refuseUnrouted = (unrouted: Unrouted): Effect.Effect<Answer, never, Services> => {
  const { answer, protocol } = unrouted
  const otherwise = {
    unauthorized: answer,
    unavailable: protocol.failure(503, ingestionTexts.unavailable()),
    throttled: protocol.failure(429, ingestionTexts.throttled()),
    send: () => Effect.succeed(answer),
  }
  return Effect.matchEffect(workspaceOf(unrouted), {
    onFailure: () => Effect.succeed(answer),
    onSuccess: Option.match({
      onNone: () => Effect.succeed(answer),
      onSome: (workspace) => whereAdmitted(workspace, otherwise, record(unrouted, workspace, otherwise)),
    }),
  })
}

const workspaceOf = ({
  protocol,
  request,
}: Unrouted): Effect.Effect<Option.Option<Workspace>, StoreUnavailable, Authenticator> =>
  protocol.name === "pipelines"
    ? Effect.map(workspaceByHeader(request), (found) => Option.flatten(found))
    : Authenticator.use((authenticator) => authenticator.track(request.headers.authorization))

/** The route of all such calls. Their paths would be senders without end. */
const route = "unknown path"

const record = (
  { answer, client, fault, protocol, request }: Unrouted,
  workspace: Workspace,
  failures: Parameters<typeof commit>[3],
) =>
  withSender({ request, route }, workspace, (opened) =>
    Effect.flatMap(sentIn(request, workspace.limits.requestBytesMax), (sent) =>
      Effect.flatMap(Clock.currentTimeMillis, (receivedAt) => {
        const receipt = {
          workspace: opened,
          brand: defaultBrand,
          source: protocol.name,
          receivedAt,
          batchIndex: null,
          client,
        }
        const { omitted, rest } = restOfUnknown(opened, sent)
        const refusal = withSent(receipt, reject(receipt, null, [fault]), rest)
        return commit([withOmitted(refusal, omitted)], 0, answer, failures)
      }),
    ),
  )

/** Reads what a call sent. It is missing if it cannot be read, because the call is refused anyway. */
const sentIn = (request: IncomingMessage, bytesMax: number) =>
  Effect.match(readRawBody(request, bytesMax), {
    onSuccess: (body) => Result.getOrNull(parseJson(body)),
    onFailure: () => null,
  })
