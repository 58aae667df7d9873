import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, it } from "vitest"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet } from "../../src/Inlet.ts"
import { RuleTraffic } from "../../src/segments/RuleTraffic.ts"

const writers = 6

let database: PostgresServer
beforeAll(async () => {
  database = await PostgresServer.start()
})
afterAll(async () => {
  await database.remove()
})

it(`two nodes on one database tell each entrance and exit once, also when the one that builds a rule is killed (INLET_TEST_SEED=${seed})`, async () => {
  const random = fractions(seed)
  const env = { INLET_STORE: database.url(await database.createDatabase()), INLET_SECRET: "s".repeat(32) }
  const traffic = new RuleTraffic(random)
  const nodes: [Inlet, Inlet] = [await Inlet.start({ env }), await Inlet.start({ env })]
  const anyNode = () => nodes[random() < 0.5 ? 0 : 1]
  try {
    await traffic.begin(nodes[0])
    for (const [killed, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      let isOver = false
      const written = Array.from({ length: writers }, (_, part) =>
        traffic.write(anyNode, part, writers, () => isOver),
      )
      await traffic.edit(nodes[other])
      await nodes[killed].kill()
      nodes[killed] = await Inlet.start({ env })
      await traffic.edit(nodes[killed])
      isOver = true
      const failed = await Promise.all(written)
      for (const sent of failed) await traffic.repeat(nodes[other], sent)
    }
    await traffic.settled(nodes[0])
    await traffic.expectRight(nodes[1])
  } finally {
    await Promise.all(nodes.map((node) => node.kill()))
  }
})
