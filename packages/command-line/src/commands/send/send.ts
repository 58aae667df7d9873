import type { CallType } from "@inlethq/wire/pipelines/CallType"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag, timeFlag } from "../../flags/flags.ts"
import { randomUUID } from "node:crypto"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawOutcome, ListedOutcome } from "../../output/outcomeLine.ts"
import { currentScreen } from "../../output/Screen.ts"
import { jsonPairs } from "../../flags/pairs.ts"
import { orIneffective } from "../../server/applyOperation.ts"
import { onIngestion } from "../../server/onServer.ts"
import { openIngestion, orRefused } from "../../wire/callIngestion.ts"
import { sendBatch } from "./sendBatch.ts"

const flags = {
  anonymous: Flag.Boolean("anonymous").pipe(
    Flag.withDescription("The first argument is an anonymous id"),
    Flag.withDefault(false),
  ),
  at: timeFlag("at", "Time of the operation, in ISO 8601 (default: now)"),
  id: optionalFlag(
    Flag.String("id"),
    "The messageId: a later call with the same messageId is a duplicate (default: a new UUID)",
  ),
}

interface Given {
  readonly anonymous: boolean
  readonly at: Option.Option<string>
  readonly id: Option.Option<string>
}

const person = Argument.String("person").pipe(Argument.withDescription("A person, by id, email or svc_…"))

const values = Argument.String("name=value").pipe(
  Argument.withDescription("name=text, or name:=JSON for numbers and other values"),
  Argument.variadic(),
)

type Body = { readonly [field: string]: Schema.Json }

/** The answer of the Pipelines API. `outcomes` is missing if the server runs with `INLET_OUTCOMES=off`. */
const PipelinesAnswer = Schema.fromJsonString(
  Schema.Struct({ outcomes: Schema.optionalKey(Schema.NonEmptyArray(ListedOutcome)) }),
)

/** Sends one call to the Pipelines API and prints its outcome. Fails if the call had no effect. */
const sendCall = Effect.fnUntraced(function* (
  type: CallType,
  who: string,
  { anonymous, at, id }: Given,
  body: Body,
) {
  const { isWanted, print } = yield* JsonOutput
  const now = DateTime.formatIso(yield* DateTime.now)
  const send = yield* openIngestion("pipelines")
  const answer = yield* send({
    method: "POST",
    path: `/v1/${type}?outcomes=true`,
    body: {
      ...body,
      [anonymous ? "anonymousId" : "userId"]: who,
      timestamp: Option.getOrElse(at, () => now),
      messageId: Option.getOrElse(id, () => randomUUID()),
    },
  }).pipe(Effect.flatMap(orRefused))
  const { outcomes } = yield* Schema.decodeUnknownEffect(PipelinesAnswer)(answer.text)
  const [outcome] = outcomes ?? []
  if (isWanted) yield* print(answer.text)
  else {
    const unknown = { operation_id: answer.operationId, outcome: null, reason: null, rule: null }
    yield* Console.log(drawOutcome(yield* currentScreen, outcome ?? unknown))
  }
  if (outcome?.operation_id != null) yield* orIneffective({ ...outcome, operation_id: outcome.operation_id })
})

const identify = Command.make(
  "identify",
  { person, values, ...flags },
  Effect.fnUntraced(function* ({ person, values, ...given }) {
    yield* sendCall("identify", person, given, { traits: yield* jsonPairs(values) })
  }, onIngestion),
).pipe(
  Command.withDescription("Create or update a person"),
  Command.withExamples([
    { command: "inlet send identify ada email=ada@example.com plan=pro", description: "Set two attributes" },
    { command: "inlet send identify ada logins:=3 vip:=true", description: "Set a number and a boolean" },
  ]),
)

const track = Command.make(
  "track",
  {
    person,
    event: Argument.String("event").pipe(Argument.withDescription("The name of the event")),
    values,
    ...flags,
  },
  Effect.fnUntraced(function* ({ event, person, values, ...given }) {
    yield* sendCall("track", person, given, { event, properties: yield* jsonPairs(values) })
  }, onIngestion),
).pipe(
  Command.withDescription("Send an event"),
  Command.withExamples([
    { command: "inlet send track ada signed_up source=cli", description: "An event with one property" },
    {
      command: "inlet send track ada signed_up --at 2026-01-31T12:00:00Z --id signup-ada",
      description: "An event of the past, stored once even if the command is repeated",
    },
  ]),
)

const page = Command.make(
  "page",
  {
    person,
    name: Argument.String("name").pipe(Argument.withDescription("The name of the page")),
    values,
    ...flags,
  },
  Effect.fnUntraced(function* ({ name, person, values, ...given }) {
    yield* sendCall("page", person, given, { name, properties: yield* jsonPairs(values) })
  }, onIngestion),
).pipe(
  Command.withDescription("Send a page view"),
  Command.withExamples([
    {
      command: "inlet send page ada Pricing url=https://example.com/pricing",
      description: "A page with its URL",
    },
    { command: "inlet send page visitor-7 Home --anonymous", description: "A page view of a visitor" },
  ]),
)

const group = Command.make(
  "group",
  {
    person,
    group: Argument.String("group").pipe(Argument.withDescription("The id of the object, such as a company")),
    values,
    type: optionalFlag(Flag.String("type"), "The type id of the object (default: 1)"),
    ...flags,
  },
  Effect.fnUntraced(function* ({ group, person, type, values, ...given }) {
    const typed = Option.isSome(type) ? { objectTypeId: type.value } : {}
    yield* sendCall("group", person, given, { groupId: group, ...typed, traits: yield* jsonPairs(values) })
  }, onIngestion),
).pipe(
  Command.withDescription("Create or update an object and relate a person to it"),
  Command.withExamples([
    { command: "inlet send group ada acme name=Acme", description: "ada belongs to acme" },
  ]),
)

const alias = Command.make(
  "alias",
  {
    person,
    previous: Argument.String("previous").pipe(
      Argument.withDescription("The id that becomes part of the person"),
    ),
    at: flags.at,
    id: flags.id,
  },
  Effect.fnUntraced(function* ({ person, previous, ...given }) {
    yield* sendCall("alias", person, { ...given, anonymous: false }, { previousId: previous })
  }, onIngestion),
).pipe(
  Command.withDescription("Make a previous id part of a person"),
  Command.withExamples([{ command: "inlet send alias ada visitor-7", description: "The visitor is ada" }]),
)

const batch = Command.make(
  "batch",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A file with one JSON entity of Track v2 a line; - reads standard input"),
    ),
    from: Flag.Int("from").pipe(
      Flag.withMetavar("line"),
      Flag.withDescription("Start at this line, to continue after an interruption"),
      Flag.withDefault(1),
    ),
  },
  Effect.fnUntraced(function* ({ file, from }) {
    yield* sendBatch(file, from)
  }, onIngestion),
).pipe(
  Command.withDescription("Send a file of Track v2 entities"),
  Command.withExamples([
    { command: "inlet send batch items.ndjson", description: "Any number of lines, sent in batches" },
    { command: "generate-items | inlet send batch -", description: "From another program" },
  ]),
)

export const sendCommand = Command.make("send").pipe(
  Command.withDescription(
    "Send calls to the workspace of INLET_WRITE_KEY, or with a key named cli that the command makes and stores",
  ),
  Command.withSubcommands([identify, track, page, group, alias, batch]),
)
