import type { Fitness } from "@inlet/core/ports/NodeFitness"
import { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect } from "effect"
import type { Database } from "./Database.ts"

/** Returns the database for everything that a node does with its data. While the node is unfit, nothing is written. */
export const fitDatabase = (database: Database["Service"], { unfit }: Fitness): Database["Service"] => ({
  ...database,
  write: (operation, workspace, body) =>
    Effect.suspend(() => {
      const cause = unfit()
      return cause === null
        ? database.write(operation, workspace, body)
        : Effect.fail(new StoreUnavailable({ operation, cause }))
    }),
})
