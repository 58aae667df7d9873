import type { OpenedWorkspace } from "@inlethq/wire/decoding/Receipt"
import { omitsOfContext } from "@inlethq/wire/decoding/Omitting"
import { userAgentCharactersMax } from "@inlethq/core/log/RejectedCall"
import { sendersMax, type SenderId } from "@inlethq/core/log/Sender"
import { installationOf, passageHeader, passageIn, passageName } from "@inlethq/core/forward/passage"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry } from "@inlethq/core/ports/Registry"
import { Context, Duration, Effect, Layer, Schedule } from "effect"

/** What tells the sender of a call, beside its key. */
interface Arrival {
  readonly request: {
    readonly headers: { readonly "user-agent"?: string | undefined; readonly [passageHeader]?: unknown }
  }
  readonly route: string
  /** The management token, if the call did not open its workspace with a key. */
  readonly token?: { readonly id: string; readonly name: string }
}

/** The largest number of senders that a node remembers. If there are more, all are forgotten. */
const rememberedMax = 2 * sendersMax

/**
 * All senders are forgotten at this interval, and looked up again when they send. A database that was restored, or that
 * failed over to a copy, may have numbered its newest senders otherwise.
 */
const forgetEvery = Duration.minutes(5)

/**
 * Numbers the senders of calls, so that log entries can say who sent them. Only the first call of a sender waits for the
 * store; a call whose sender cannot be numbered is processed without.
 */
export class Senders extends Context.Service<
  Senders,
  {
    /** Returns the workspace with the sender of a call, or undefined if the store must be asked. */
    known(call: Arrival, workspace: OpenedWorkspace): OpenedWorkspace | undefined
    /** Asks the store for the sender of a call, and remembers the answer. */
    open(call: Arrival, workspace: OpenedWorkspace): Effect.Effect<OpenedWorkspace>
    /** Returns whether the workspace itself has forwarded a call. */
    hasSent(call: Pick<Arrival, "request">, workspace: Pick<OpenedWorkspace, "id">): boolean
  }
>()("@inlethq/http/credentials/Senders") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const registry = yield* Registry
      const installation = installationOf((yield* Digest).of)
      const remembered = new RememberedSenders()
      yield* Effect.forkScoped(
        Effect.repeat(
          Effect.sync(() => remembered.forget()),
          Schedule.spaced(forgetEvery),
        ),
      )

      const numberOf = Effect.fnUntraced(function* (
        call: Arrival,
        workspace: OpenedWorkspace,
        client: string,
      ) {
        const { route, token } = call
        const passage = passageOf(call)
        const sender = {
          key: workspace.openedBy ?? null,
          ...(token !== undefined && { token }),
          route,
          userAgent: client === "" ? null : client,
          ...(passage.length > 0 && { via: passage.join(",") }),
        }
        const id = yield* registry.sender(workspace.id, sender)
        if (id !== null || client === "") return id
        const withoutClient = yield* registry.sender(workspace.id, { ...sender, userAgent: null })
        remembered.setOthers(placeOf(call, workspace), withoutClient)
        return withoutClient
      })

      return Senders.of({
        hasSent: ({ request }, { id }) => passageOf({ request }).includes(passageName(installation, id)),
        known: (call, workspace) => {
          const sender = remembered.get(placeOf(call, workspace), clientOf(call, workspace))
          return sender === undefined ? undefined : opened(workspace, sender)
        },
        open: (call, workspace) => {
          const client = clientOf(call, workspace)
          return numberOf(call, workspace, client).pipe(
            Effect.tap((sender) =>
              Effect.sync(() => remembered.set(placeOf(call, workspace), client, sender)),
            ),
            Effect.catch((error) =>
              Effect.as(Effect.logDebug("a sender could not be recorded", error), null),
            ),
            Effect.map((sender) => opened(workspace, sender)),
          )
        },
      })
    }),
  )
}

/** Runs `then` with the workspace of a call and its sender. */
export const withSender = <A, E, R>(
  call: Arrival,
  workspace: OpenedWorkspace,
  then: (workspace: OpenedWorkspace) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | Senders> =>
  Senders.use((senders) => {
    const known = senders.known(call, workspace)
    return known === undefined ? Effect.flatMap(senders.open(call, workspace), then) : then(known)
  })

const clientOf = ({ request }: Arrival, workspace: OpenedWorkspace): string =>
  omitsOfContext(workspace, "userAgent")
    ? ""
    : (request.headers["user-agent"]?.slice(0, userAgentCharactersMax) ?? "")

const opened = (workspace: OpenedWorkspace, sender: SenderId | null): OpenedWorkspace => ({
  ...workspace,
  sender,
})

/** The senders with the same workspace, key or token, and route, by their client. */
interface Clients {
  readonly senders: Map<string, SenderId | null>
  /** The sender of all other clients, once the workspace has too many senders to add one. */
  others: SenderId | null | undefined
}

class RememberedSenders {
  private readonly places = new Map<string, Clients>()
  private size = 0

  get(place: string, client: string): SenderId | null | undefined {
    const clients = this.places.get(place)
    const sender = clients?.senders.get(client)
    return sender === undefined ? clients?.others : sender
  }

  set(place: string, client: string, sender: SenderId | null): void {
    this.at(place).senders.set(client, sender)
  }

  setOthers(place: string, sender: SenderId | null): void {
    this.at(place).others = sender
  }

  forget(): void {
    this.places.clear()
    this.size = 0
  }

  /** Makes room for a sender at this place. */
  private at(place: string): Clients {
    if (this.size >= rememberedMax) this.forget()
    this.size++
    const known = this.places.get(place)
    if (known !== undefined) return known
    const added = { senders: new Map<string, SenderId | null>(), others: undefined }
    this.places.set(place, added)
    return added
  }
}

/** The id of a key and that of a token never stand before the same route. */
const placeOf = (call: Arrival, { id, openedBy }: OpenedWorkspace): string =>
  `${id} ${openedBy?.id ?? call.token?.id ?? ""} ${passageOf(call).join(",")} ${call.route}`

/** Returns the workspaces that forwarded a call. */
const passageOf = ({ request }: Pick<Arrival, "request">): ReadonlyArray<string> => {
  const header = request.headers[passageHeader]
  return typeof header === "string" ? passageIn(header) : []
}
