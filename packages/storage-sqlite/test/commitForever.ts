import { byId, event } from "@inlethq/store-conformance/script/commands"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { Effect } from "effect"
import { storeIn } from "./temporary.ts"

const [, , directory = ""] = process.argv

const program = Effect.gen(function* () {
  for (let count = 1; ; count++) {
    yield* apply(event(byId("ada"), `event ${count}`))
    process.stdout.write(`${count}\n`)
    // Let the event loop run, because it writes the printed counts to standard output.
    if (count % 10 === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
})

await Effect.runPromise(Effect.provide(program, storeIn(directory)))
