import { assert, describe, it } from "@effect/vitest"
import { NodeFitness, NodeUnfit } from "@inlethq/core/ports/NodeFitness"
import { Effect, Exit } from "effect"
import { whileFit } from "../src/whileFit.ts"

const otherFormat = new NodeUnfit({ fault: { _tag: "OtherFormat", found: 2, known: 1 } })

/** Runs work that fails. The node is unfit from the start, from when the work begins, or never. */
const run = (from: "start" | "work" | "never") => {
  let fault = from === "start" ? otherFormat : null
  let runs = 0
  const work = Effect.suspend(() => {
    runs++
    if (from === "work") fault = otherFormat
    return Effect.fail("no")
  })
  return Effect.exit(whileFit(work)).pipe(
    Effect.provideService(NodeFitness, { unfit: () => fault }),
    Effect.map((exit) => ({ exit, runs })),
  )
}

describe("work in the background of a node", () => {
  it.effect("fails as it does while the node is fit", () =>
    Effect.map(run("never"), ({ exit }) => assert.deepStrictEqual(exit, Exit.fail("no"))),
  )

  it.effect("does not begin on a node that is unfit", () =>
    Effect.map(run("start"), (ended) => assert.deepStrictEqual(ended, { exit: Exit.void, runs: 0 })),
  )

  it.effect("says nothing of a failure on a node that has become unfit meanwhile", () =>
    Effect.map(run("work"), (ended) => assert.deepStrictEqual(ended, { exit: Exit.void, runs: 1 })),
  )
})
