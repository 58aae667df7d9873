import { Schema } from "effect"
import { eventually } from "./eventually.ts"
import { read, type Management } from "./Management.ts"

const Summarized = Schema.Struct({ read_to: Schema.NullOr(Schema.Int) })

const Newest = Schema.Struct({ items: Schema.Array(Schema.Struct({ sequence: Schema.Int })) })

/** Returns the position of the newest entry of a log, or 0. */
export const newestPosition = async (tenant: Management): Promise<number> =>
  read(Newest, await tenant.get("/activity", { limit: "1" })).items[0]?.sequence ?? 0

/** Waits until the log of a workspace is summarized up to its newest entry. */
export const summarized = async (tenant: Management): Promise<void> => {
  const end = await newestPosition(tenant)
  await eventually(`the log is summarized up to ${end}`, async () => {
    const { read_to } = read(Summarized, await tenant.get("/causes"))
    return (read_to ?? 0) >= end ? true : undefined
  })
}
