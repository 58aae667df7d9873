import { WebhookCursor } from "@inlethq/contract/values/Cursor"
import type { ForwardDocument, ForwardPatch } from "@inlethq/contract/webhooks/Forwards"
import { ForwardedAs, ForwardShape } from "@inlethq/core/forward/Forward"
import { DeliveryRetry } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { drawForward } from "../../output/forwardPage.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { expectChange } from "../shared/expectChange.ts"
import { command, confirming, listing, raw, showing, type Resource } from "../shared/resource.ts"
import { attempts, recover, resend, skip, test } from "./forwardAttempts.ts"
import { forwardArgument } from "./forwardArgument.ts"

const forwards: Resource<ForwardDocument> = {
  group: "forwards",
  about: "Manage forwards, which send calls on to other services",
  columns: [
    { heading: "FORWARD_ID", text: ({ forward_id }) => forward_id },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "KIND", text: ({ to }) => to },
    {
      heading: "STATE",
      text: ({ enabled, last_error }) => (enabled ? (last_error === null ? "enabled" : "failing") : "paused"),
      style: ({ enabled, last_error }) => (enabled && last_error === null ? "green" : "yellow"),
    },
    { heading: "BEHIND", text: ({ waiting }) => String(waiting.entries + waiting.operations) },
    { heading: "URL", text: ({ url }) => url, shrinks: true },
  ],
  empty: "No forwards",
  examples: {
    create: {
      "inlet forwards create --name hosted --kind track-v2 --to https://track.customer.io/api --key SITE_ID:API_KEY":
        "Keep a hosted workspace current",
      "inlet forwards create --name segment --kind segment --to https://cdp.customer.io --key WRITE_KEY":
        "Send batches of the shape that Segment, RudderStack and Jitsu read",
    },
    list: { "inlet forwards list": "With how far each is behind" },
    get: { "inlet forwards get 5d0c2b7f9a4e1836ce0b": "Does not show the key" },
    update: {
      "inlet forwards update 5d0c2b7f9a4e1836ce0b --filter 'kind:event'": "Send events only",
      "inlet forwards update 5d0c2b7f9a4e1836ce0b --key NEW_KEY": "Replace the key",
    },
    pause: { "inlet forwards pause 5d0c2b7f9a4e1836ce0b": "It keeps its position in the log" },
    resume: { "inlet forwards resume 5d0c2b7f9a4e1836ce0b": "It goes on where it was paused" },
    delete: { "inlet forwards delete 5d0c2b7f9a4e1836ce0b --yes": "Delete without a question" },
  },
}

const settingFlags = {
  filter: optionalFlag(Flag.String("filter"), "The entries to send, see docs/filters.md"),
  as: optionalFlag(Flag.Literals("as", ForwardedAs.literals), "Send what was decided, or what was sent"),
  retry: optionalFlag(Flag.Literals("retry", DeliveryRetry.literals), "The waits between attempts"),
}

interface Given {
  readonly filter: Option.Option<string>
  readonly as: Option.Option<ForwardedAs>
  readonly retry: Option.Option<DeliveryRetry>
}

const settingsFrom = ({ as, filter, retry }: Given): Pick<ForwardPatch, "filter" | "as" | "retry"> => ({
  ...(Option.isSome(filter) && { filter: filter.value === "" ? null : filter.value }),
  ...(Option.isSome(as) && { as: as.value }),
  ...(Option.isSome(retry) && { retry: retry.value }),
})

const toFlag = Flag.String("to").pipe(
  Flag.withMetavar("url"),
  Flag.withDescription("The base address of the receiver, without /v1 or /v2"),
)

const keyFlag = Flag.String("key").pipe(
  Flag.withDescription("The write key of a source, or <site_id>:<api_key> for track-v2"),
)

const nameFlag = Flag.String("name").pipe(
  Flag.withDescription("The name by which the integrations of calls choose the forward"),
)

const create = command(
  forwards,
  "create",
  "Create a forward, which sends what arrives from then on",
  {
    name: nameFlag,
    kind: Flag.Literals("kind", ForwardShape.literals).pipe(Flag.withDescription("The API of the receiver")),
    to: toFlag,
    key: keyFlag,
    ...settingFlags,
  },
  showing(
    ({ client, w }, { key, kind, name, to, ...given }) =>
      client.forwards.create({
        params: { w },
        payload: { ...settingsFrom(given), name, to: kind, url: to, key },
        ...raw,
      }),
    drawForward,
  ),
)

const list = command(
  forwards,
  "list",
  "List forwards",
  pageFlags(WebhookCursor),
  listing(forwards, ({ client, w }, query) => client.forwards.list({ params: { w }, query, ...raw })),
)

const get = command(
  forwards,
  "get",
  "Show the settings of a forward, and what it waits for",
  { forward: forwardArgument },
  showing(
    ({ client, w }, { forward }) => client.forwards.get({ params: { w, forward_id: forward }, ...raw }),
    drawForward,
  ),
)

const update = command(
  forwards,
  "update",
  "Change the given settings of a forward; other settings stay",
  {
    forward: forwardArgument,
    name: Flag.optional(nameFlag),
    to: Flag.optional(toFlag),
    key: Flag.optional(keyFlag),
    ...settingFlags,
  },
  showing(({ client, w }, { forward, key, name, to, ...given }) => {
    const payload: ForwardPatch = {
      ...settingsFrom(given),
      ...(Option.isSome(name) && { name: name.value }),
      ...(Option.isSome(to) && { url: to.value }),
      ...(Option.isSome(key) && { key: key.value }),
    }
    return Effect.andThen(
      expectChange(payload, "forwards update"),
      client.forwards.update({ params: { w, forward_id: forward }, payload, ...raw }),
    )
  }, drawForward),
)

const switching = (name: "pause" | "resume", about: string) =>
  command(
    forwards,
    name,
    about,
    { forward: forwardArgument },
    showing(
      ({ client, w }, { forward }) =>
        client.forwards.update({
          params: { w, forward_id: forward },
          payload: { enabled: name === "resume" },
          ...raw,
        }),
      drawForward,
    ),
  )

const remove = command(
  forwards,
  "delete",
  "Delete a forward and its attempts",
  { forward: forwardArgument, ...confirmFlag },
  confirming(
    ({ forward }) => `Delete forward ${forward} and its attempts?`,
    ({ client, w }, { forward }) => client.forwards.delete({ params: { w, forward_id: forward } }),
    ({ forward }) => `deleted ${forward}`,
  ),
)

export const forwardsCommand = Command.make(forwards.group).pipe(
  Command.withDescription(forwards.about),
  Command.withSubcommands([
    create,
    list,
    get,
    update,
    switching("pause", "Stop sending; the position in the log stays"),
    switching("resume", "Go on sending"),
    remove,
    test,
    attempts,
    resend,
    skip,
    recover,
  ]),
)
