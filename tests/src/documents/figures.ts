import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"

/** The figures of one phase, as `pnpm bench --record` writes them. */
const Figures = Schema.fromJsonString(
  Schema.Struct({
    what: Schema.String,
    date: Schema.String,
    node: Schema.String,
    cores: Schema.Finite,
    columns: Schema.Array(Schema.String),
    rows: Schema.Array(Schema.Array(Schema.String)),
  }),
)
export type Figures = typeof Figures.Type

/** The recorded figures of each phase. */
export const recordedFigures = (root: string): ReadonlyMap<string, Figures> => {
  const folder = join(root, "bench/figures")
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((file) => [
        file.replace(/\.json$/, ""),
        Schema.decodeUnknownSync(Figures)(readFileSync(join(folder, file), "utf8")),
      ]),
  )
}
