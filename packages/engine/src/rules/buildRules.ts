import { nextBuildStep } from "./nextBuildStep.ts"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { Clock, Effect, Option } from "effect"
import { Ingest } from "../commits/Ingest.ts"
import { Pace } from "./Pace.ts"

/** The part of the time that steps of builds may take while requests arrive. */
const buildShare = 1 / 8

/** Runs one step of the first build of each workspace. Returns whether a build goes on. */
export const buildRules = () => {
  const pace = new Pace(buildShare)
  return Effect.gen(function* () {
    const store = yield* Store
    const registry = yield* Registry
    const ingest = yield* Ingest
    const building = yield* store.building
    for (const id of new Set(building.map((one) => one.workspace))) {
      const workspace = yield* registry.workspace(id)
      if (Option.isNone(workspace)) continue
      const step = Effect.gen(function* () {
        const commands = yield* nextBuildStep(workspace.value, yield* Clock.currentTimeMillis)
        return commands.length === 0 ? [] : yield* ingest.submit(commands, 0)
      })
      yield* pace.run(id, step)
    }
    return building.length > 0
  })
}
