import type { DeliveryDocument, DeliveryRegistration } from "@inlethq/contract/objects/Deliveries"
import { Channel, SourceId } from "@inlethq/core/state/Delivery"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { drawFields, type Field } from "../../output/fields.ts"
import { section } from "../../output/personPage.ts"
import { paint, type Screen } from "../../output/Screen.ts"
import { count, printable } from "../../output/text.ts"
import { fullTime } from "../../output/times.ts"
import { findPerson } from "../../server/findPerson.ts"
import { command, raw, showing } from "../shared/resource.ts"

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

const deliveries = {
  examples: {
    get: { "inlet deliveries get d1": "Opens, clicks and other reports" },
    register: {
      "inlet deliveries register d1 --channel email --person ada": "An email to ada",
      "inlet deliveries register d2 --channel push --person ada --source campaign_id=7":
        "A push of campaign 7",
    },
  },
}

const get = command(
  deliveries,
  "get",
  "Show a message that was sent, and the reports about it",
  { delivery: deliveryArgument },
  showing(
    ({ client, w }, { delivery }) => client.deliveries.get({ params: { w, delivery_id: delivery }, ...raw }),
    drawDelivery,
  ),
)

const register = command(
  deliveries,
  "register",
  "Register a message, so that its reports are filed under its recipient",
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
  showing(
    ({ client, w }, { channel, delivery, person, recipient, source, subject }) =>
      Effect.gen(function* () {
        const payload: DeliveryRegistration = {
          channel,
          ...(Option.isSome(person) ? { person: { svc_id: (yield* findPerson(person.value)).svc_id } } : {}),
          ...(Option.isSome(recipient) ? { recipient: recipient.value } : {}),
          ...(Option.isSome(subject) ? { subject: subject.value } : {}),
          ...(yield* sourcesFrom(Option.getOrElse(source, () => ({})))),
        }
        return yield* client.deliveries.register({ params: { w, delivery_id: delivery }, payload, ...raw })
      }),
    drawDelivery,
  ),
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
