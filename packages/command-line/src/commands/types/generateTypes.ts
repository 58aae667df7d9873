import { typescriptFile, typesSchema } from "@inlethq/log/types/typesFile"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { printLines } from "../../server/show.ts"
import { calling, command, type Reach } from "../shared/resource.ts"
import { readTypes, withLiterals } from "./readTypes.ts"

/** Writes a module of TypeScript or a JSON Schema with every name that was seen. */
export const generate = command(
  {
    examples: {
      generate: {
        "inlet types generate > events.ts": "For `new Inlet<Events>()` of the SDK",
        "inlet types generate --lang json-schema > types.json":
          "For other generators, and for inlet types check",
      },
    },
  },
  "generate",
  "Print types of everything that was seen, for TypeScript or as a JSON Schema",
  {
    lang: Flag.Literals("lang", ["ts", "json-schema"]).pipe(
      Flag.withDescription("TypeScript or JSON Schema"),
      Flag.withDefault("ts"),
    ),
  },
  calling(
    Effect.fnUntraced(function* (reach: Reach, { lang }: { readonly lang: "ts" | "json-schema" }) {
      const types = yield* readTypes(reach)
      const seen = yield* Effect.forEach(types, (document) => withLiterals(reach, document))
      const schema = typesSchema(seen)
      const text = lang === "ts" ? typescriptFile(schema) : JSON.stringify(schema, null, 2)
      yield* printLines([text.trimEnd()])
    }),
  ),
)
