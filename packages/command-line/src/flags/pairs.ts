import { Effect, Schema } from "effect"
import { WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"

const parseJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/** Reads arguments of the form `name=text`. */
export const textPairs = (pairs: ReadonlyArray<string>): Effect.Effect<Record<string, string>, WrongOption> =>
  Effect.map(Effect.forEach(pairs, splitPair), Object.fromEntries)

/** Reads arguments of the form `name=text` and `name:=JSON`. */
export const jsonPairs = (
  pairs: ReadonlyArray<string>,
): Effect.Effect<{ readonly [name: string]: Schema.Json }, WrongOption> =>
  Effect.map(
    Effect.forEach(
      pairs,
      Effect.fnUntraced(function* (pair) {
        const [name, text] = yield* splitPair(pair)
        if (!name.endsWith(":")) return [name, text] as const
        const value = yield* Effect.mapError(
          parseJson(text),
          () => new WrongOption({ message: cliTexts.wrongJsonPair({ pair }) }),
        )
        return [name.slice(0, -1), value] as const
      }),
    ),
    (entries): { readonly [name: string]: Schema.Json } => Object.fromEntries(entries),
  )

const splitPair = (pair: string): Effect.Effect<readonly [name: string, text: string], WrongOption> => {
  const at = pair.indexOf("=")
  return at > 0 && pair.slice(0, at) !== ":"
    ? Effect.succeed([pair.slice(0, at), pair.slice(at + 1)])
    : Effect.fail(new WrongOption({ message: cliTexts.wrongPair({ pair }) }))
}
