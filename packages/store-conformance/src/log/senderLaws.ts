import { Catalog } from "@inlethq/core/catalog/Catalog"
import { SenderId, sendersMax, type Sender } from "@inlethq/core/log/Sender"
import { userAgentCharactersMax } from "@inlethq/core/log/RejectedCall"
import { Registry } from "@inlethq/core/ports/Registry"
import { WorkspaceId, type Sequence } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { byId, event, first, identify, noon, remove } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, sweepAll } from "../script/scenario.ts"

const senderOf = (userAgent: string | null, over: Partial<Sender> = {}): Sender => ({
  key: { id: "k1", name: "back\u0000end \ud800" },
  userAgent,
  route: "PUT /api/v1/customers/:identifier",
  ...over,
})

const add = (sender: Sender, workspace = 1) =>
  Registry.use((registry) => registry.sender(WorkspaceId.make(workspace), sender))

const senderIn = (sequence: Sequence) =>
  Effect.map(
    Catalog.use((catalog) => catalog.operation(first.id, sequence)),
    (found) => (found._tag === "Some" ? found.value.sender : undefined),
  )

/** The properties that every store must have for the senders of operations. */
export const senderLaws: ReadonlyArray<Law> = [
  {
    name: "numbers the senders of each workspace from 1 on, and equal ones once",
    check: Effect.gen(function* () {
      const numbers = [
        yield* add(senderOf("a")),
        yield* add(senderOf("b")),
        yield* add(senderOf("a")),
        yield* add(senderOf(null)),
        yield* add(senderOf("a", { key: null, route: null })),
        yield* add(senderOf("b"), 2),
      ]
      yield* expectSame(
        "numbers",
        numbers,
        [1, 2, 1, 3, 4, 1].map((n) => SenderId.make(n)),
      )
    }),
  },
  {
    name: "shows the sender of an operation, and keeps it when the person is erased",
    check: Effect.gen(function* () {
      const sender = senderOf("c".repeat(userAgentCharactersMax + 1))
      const shown = senderOf("c".repeat(userAgentCharactersMax))
      const id = yield* add(sender)
      const given = id === null ? {} : { sender: id }
      const { entries } = yield* apply(
        identify(byId("ada"), [["plan", "pro"]], given),
        event(byId("ada"), "bought"),
        identify(byId("ada"), [], { sender: SenderId.make(9) }),
        remove(byId("ada")),
      )
      const senders = Effect.forEach(entries, ({ sequence }) => senderIn(sequence))
      yield* sweepAll(noon)
      yield* expectSame("senders", yield* senders, [shown, undefined, null, null])
    }),
  },
  {
    name: "adds at most as many senders as a workspace may have, and keeps places for those without a client",
    check: Effect.gen(function* () {
      const clients = Array.from({ length: sendersMax }, (_, n) => senderOf(`client/${n}`))
      const numbers = yield* Effect.forEach(clients, (sender) => add(sender), { concurrency: 4 })
      yield* expectSame("numbers", new Set(numbers).size, sendersMax)
      yield* expectSame("one too many", yield* add(senderOf("another")), null)
      yield* expectSame("a known one", yield* add(senderOf("client/7")), numbers[7] ?? null)
      yield* expectSame("without a client", yield* add(senderOf(null)), SenderId.make(sendersMax + 1))
    }),
  },
]
