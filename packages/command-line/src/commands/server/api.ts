import { managementPath } from "@inlethq/contract/values/managementPath"
import { Effect, FileSystem, Option, Redacted, Schema, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { HttpClient, HttpClientRequest, type HttpClientResponse, type HttpMethod } from "effect/http"
import { cliTexts } from "../../texts/cliTexts.ts"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { Connection } from "../../server/Connection.ts"
import { openInput, standardInput, unreadable } from "../../server/inputFile.ts"
import { onIngestion } from "../../server/onServer.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Answers of these types are printed once they are complete, so that `--jq` can read them. Others are passed on as they arrive. */
const documentType = /^application\/(problem\+)?json\b/

const ProblemDocument = Schema.fromJsonString(
  Schema.Struct({ title: Schema.String, detail: Schema.optionalKey(Schema.String) }),
)

/**
 * Returns the address of a path of the management API. `{w}` stands for the selected workspace, and the path may leave out
 * `/management/v1`.
 */
const addressOf = (base: string, path: string, workspace: number): string => {
  const filled = path.replaceAll(/\{w\}/g, String(workspace)).replace(/^\/*/, "/")
  return filled.startsWith(`${managementPath}/`) ? base + filled : base + managementPath + filled
}

const bodyFrom = Effect.fnUntraced(function* (data: string) {
  if (!data.startsWith("@") && data !== standardInput) return Stream.encodeText(Stream.make(data))
  const file = data === standardInput ? data : data.slice(1)
  const stdio = yield* Stdio.Stdio
  return file === standardInput
    ? stdio.stdin.pipe(Stream.mapError((error) => unreadable(file)(error.message)))
    : openInput(yield* FileSystem.FileSystem, file)
})

const printAnswer = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const { print } = yield* JsonOutput
  const stdio = yield* Stdio.Stdio
  if (!documentType.test(response.headers["content-type"] ?? "")) {
    yield* Stream.run(response.stream, stdio.stdout())
    return response.status < 400 ? "" : `HTTP ${response.status}`
  }
  const text = yield* response.text
  if (response.status < 400) {
    yield* print(text)
    return ""
  }
  const problem = yield* Effect.option(Schema.decodeEffect(ProblemDocument)(text))
  return Option.match(problem, {
    onNone: () => `HTTP ${response.status}`,
    onSome: ({ detail, title }) => `HTTP ${response.status}: ${detail ?? title}`,
  })
})

const call = Effect.fnUntraced(function* (
  method: HttpMethod.HttpMethod,
  path: string,
  data: Option.Option<string>,
  type: string,
) {
  const { token, url, workspace } = yield* Connection
  if (URL.canParse(path)) return yield* new WrongOption({ message: cliTexts.addressForPath() })
  const secret = Redacted.value(yield* Effect.fromResult(token))
  const bare = HttpClientRequest.make(method)(addressOf(url, path, workspace), {
    headers: { accept: "application/json", authorization: `Bearer ${secret}` },
  })
  const request = Option.isNone(data)
    ? bare
    : HttpClientRequest.bodyStream(bare, yield* bodyFrom(data.value), { contentType: type })
  const client = yield* HttpClient.HttpClient
  const problem = yield* Effect.flatMap(client.execute(request), printAnswer)
  if (problem !== "") return yield* new CommandFailed({ message: problem })
})

/** `inlet api`: any call of the management API. */
export const apiCommand = Command.make(
  "api",
  {
    method: Argument.Literals("method", methods).pipe(Argument.withDescription("The HTTP method")),
    path: Argument.String("path").pipe(
      Argument.withDescription(
        `A path of the management API, with or without ${managementPath}; {w} is the selected workspace`,
      ),
    ),
    data: Flag.String("data").pipe(
      Flag.withAlias("d"),
      Flag.withDescription("The body: JSON, @FILE, or - for standard input"),
      Flag.optional,
    ),
    type: Flag.String("type").pipe(
      Flag.withDescription("The Content-Type of the body"),
      Flag.withDefault("application/json"),
    ),
  },
  ({ data, method, path, type }) => onIngestion(call(method, path, data, type)),
).pipe(
  Command.withDescription("Call the management API, and print its answer"),
  Command.withExamples([
    {
      command: "inlet api GET '/workspaces/{w}/people?q=ad'",
      description: "People whose id or email begins with ad",
    },
    {
      command: `inlet api POST '/workspaces/{w}/segments' -d '{"name":"Buyers"}' --jq .segment_id`,
      description: "Create a segment and print its number",
    },
    {
      command: "inlet api POST '/workspaces/{w}/imports/people' -d @people.csv --type text/csv",
      description: "Import a file",
    },
  ]),
)
