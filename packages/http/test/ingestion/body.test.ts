import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, request } from "node:http"
import { ArrivingBodies, readBody } from "../../src/ingestion/Body.ts"
import { Deadlines } from "../../src/ingestion/Deadlines.ts"

const chunks = 1000

it.live("a body that arrives in chunks of one byte reserves memory for the chunks, and releases it", () =>
  Effect.gen(function* () {
    let held = 0
    let most = 0
    const arriving = ArrivingBodies.of({
      deadlines: new Deadlines(60_000),
      reserve: (bytes) => {
        held += bytes
        most = Math.max(most, held)
        return true
      },
      release: (bytes) => {
        held -= bytes
      },
    })
    const server = createServer((incoming, response) => {
      const read = Effect.provideService(readBody(incoming, 100_000), ArrivingBodies, arriving)
      void Effect.runPromise(read).then((body) => response.end(String(body.length)))
    })
    const answer = yield* Effect.promise(async () => {
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const sent = request({ port, host: "127.0.0.1", method: "POST" })
      for (let i = 0; i < chunks; i++) sent.write("x")
      sent.end()
      const [response] = await once(sent, "response")
      const texts: Array<string> = []
      for await (const text of response) texts.push(String(text))
      server.close()
      return texts.join("")
    })
    assert.strictEqual(answer, String(chunks))
    assert.isAtLeast(most, chunks * 200)
    assert.strictEqual(held, 0)
  }),
)
