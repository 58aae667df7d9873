import { Schema } from "effect"
import { userAgentCharactersMax } from "./RejectedCall.ts"

/** The number of a sender in its workspace. Numbers ascend from 1 and are never reused. */
export const SenderId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("SenderId"))
export type SenderId = typeof SenderId.Type

/**
 * Who sends calls, and how: the key or the management token, the client and the route. Entries of the log refer to their
 * sender by its number, because few senders send most calls.
 */
export const Sender = Schema.Struct({
  /** The key that opened the workspace, by its id and its name at the time. */
  key: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /**
   * The management token of an operator or an import, by its id and its name at the time. In the console, the token with
   * which the operator signed in. Missing if a client sent the call.
   */
  token: Schema.optionalKey(Schema.Struct({ id: Schema.String, name: Schema.String })),
  /** The beginning of the client's `User-Agent`. */
  userAgent: Schema.NullOr(Schema.String),
  /** The method and the path with its parameters by name, because a path itself may contain an identifier. */
  route: Schema.NullOr(Schema.String),
  /** The workspaces that had forwarded the call, as the header of forwards names them. Missing if it came from a client. */
  via: Schema.optionalKey(Schema.String),
})
export type Sender = typeof Sender.Type

/**
 * The largest number of senders of a workspace. Browsers of many visitors could have more user agents: calls from further
 * ones are stored without the user agent, as senders for which as many places again are kept.
 */
export const sendersMax = 1024

/** Returns the most senders that a workspace may have before this one is added. */
export const sendersBefore = ({ userAgent }: Sender): number => (userAgent === null ? 2 : 1) * sendersMax

/** Returns a sender whose texts are short enough to be stored. */
export const storableSender = (sender: Sender): Sender =>
  sender.userAgent === null || sender.userAgent.length <= userAgentCharactersMax
    ? sender
    : { ...sender, userAgent: sender.userAgent.slice(0, userAgentCharactersMax) }

/** Returns the document by which a store knows a sender. Equal senders have equal documents. */
export const senderText = ({ key, route, token, userAgent, via }: Sender): string =>
  JSON.stringify({
    key: key === null ? null : { id: key.id, name: key.name },
    ...(token !== undefined && { token: { id: token.id, name: token.name } }),
    userAgent,
    route,
    ...(via !== undefined && { via }),
  })
