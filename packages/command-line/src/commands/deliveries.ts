import type { DeliveryDocument, DeliveryRegistration } from "@inlet/api/management/Deliveries"
import { Channel, SourceId } from "@inlet/core/state/Delivery"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WrongOption } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag } from "../flags.ts"
import { drawFields, type Field } from "../output/fields.ts"
import { section } from "../output/personPage.ts"
import { paint, type Screen } from "../output/Screen.ts"
import { count, printable } from "../output/text.ts"
import { fullTime } from "../output/times.ts"
import { Connection } from "../server/Connection.ts"
import { findPerson } from "../server/findPerson.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"

const deliveryArgument = Argument.String("delivery_id").pipe(
  Argument.withDescription("The id of the message, as its reports name it"),
)

const drawDelivery = (delivery: DeliveryDocument, screen: Screen): ReadonlyArray<string> => [
  paint(screen, "bold", printable(delivery.delivery_id)),
  ...drawFields(screen, [
    ["channel", delivery.channel],
    ["person", delivery.svc_id],
    ["recipient", delivery.recipient],
    ["subject", delivery.subject],
    ...SourceId.literals.map((name): Field => {
      const value = delivery[name]
      return [name, value === undefined ? null : String(value)]
    }),
    ["created", fullTime(screen.times, delivery.created_at)],
    ["updated", fullTime(screen.times, delivery.updated_at)],
  ]),
  ...section(
    screen,
    "REPORTS",
    drawFields(
      screen,
      Object.entries(delivery.metrics).map(([metric, report]): Field => [
        metric,
        report === undefined
          ? null
          : `${count(report.count)}, first at ${fullTime(screen.times, report.first_at)}`,
      ]),
    ),
  ),
]

const get = Command.make(
  "get",
  { delivery: deliveryArgument },
  Effect.fnUntraced(function* ({ delivery }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, delivery_id: delivery }
    yield* show(client.deliveries.get({ params, responseMode: "decoded-and-response" }), drawDelivery)
  }, onServer),
).pipe(
  Command.withDescription("Show a message that was sent, and the reports about it"),
  Command.withExamples([
    { command: "inlet deliveries get d1", description: "Opens, clicks and other reports" },
  ]),
)

const register = Command.make(
  "register",
  {
    delivery: deliveryArgument,
    channel: Flag.Literals("channel", Channel.literals).pipe(Flag.withDescription("Channel of the message")),
    person: optionalFlag(Flag.String("person"), "The recipient, by id, email or svc_…"),
    recipient: optionalFlag(Flag.String("recipient"), "Address to which the message was sent"),
    subject: optionalFlag(Flag.String("subject"), "The subject line"),
    source: optionalFlag(
      Flag.KeyValuePair("source"),
      `Ids of the campaign or other source of the message: ${SourceId.literals.join(", ")}`,
    ),
  },
  Effect.fnUntraced(function* ({ channel, delivery, person, recipient, source, subject }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload: DeliveryRegistration = {
      channel,
      ...(Option.isSome(person) ? { person: { svc_id: (yield* findPerson(person.value)).svc_id } } : {}),
      ...(Option.isSome(recipient) ? { recipient: recipient.value } : {}),
      ...(Option.isSome(subject) ? { subject: subject.value } : {}),
      ...(yield* sourcesFrom(Option.getOrElse(source, () => ({})))),
    }
    const params = { w: workspace, delivery_id: delivery }
    yield* show(
      client.deliveries.register({ params, payload, responseMode: "decoded-and-response" }),
      drawDelivery,
    )
  }, onServer),
).pipe(
  Command.withDescription("Register a message, so that its reports are filed under its recipient"),
  Command.withExamples([
    { command: "inlet deliveries register d1 --channel email --person ada", description: "An email to ada" },
    {
      command: "inlet deliveries register d2 --channel push --person ada --source campaign_id=7",
      description: "A push of campaign 7",
    },
  ]),
)

const sourcesFrom = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
  const numbers: Partial<Record<NumericSource, number>> = {}
  const { trigger_event_id, ...others } = given
  for (const [name, text] of Object.entries(others)) {
    const known = numericSources.find((literal) => literal === name)
    if (known === undefined || !/^\d{1,15}$/.test(text)) {
      return yield* new WrongOption({
        message: cliTexts.wrongSource({ names: SourceId.literals.join(", ") }),
      })
    }
    numbers[known] = Number(text)
  }
  return trigger_event_id === undefined ? numbers : { ...numbers, trigger_event_id }
})

type NumericSource = Exclude<SourceId, "trigger_event_id">

const numericSources = SourceId.literals.filter((name): name is NumericSource => name !== "trigger_event_id")

export const deliveriesCommand = Command.make("deliveries").pipe(
  Command.withDescription("Look up and register messages that were sent"),
  Command.withSubcommands([get, register]),
)
