import { WrongSetting } from "@inlethq/http/listener/WrongSetting"
import { Config, Effect, Option, Redacted, Schema, SchemaTransformation } from "effect"

export const HttpUrl = Schema.URLFromString.check(
  Schema.makeFilter(
    ({ hash, protocol, search }) =>
      (protocol === "http:" || protocol === "https:") && search === "" && hash === "",
  ),
)

/** Accepts one of several words, in upper or lower case. */
export const word = <S extends Schema.Codec<unknown, string>>(words: S) =>
  Schema.String.pipe(Schema.decode(SchemaTransformation.toLowerCase()), Schema.decodeTo(words))

export const variable = <S extends Schema.Codec<unknown, string>>(
  name: string,
  schema: S,
  expected: string,
) =>
  Effect.gen(function* () {
    const given = yield* Config.option(Config.String(name))
    if (Option.isNone(given) || given.value.trim() === "") return Option.none<S["Type"]>()
    return Option.some(yield* Schema.decodeUnknownEffect(schema)(given.value.trim()))
  }).pipe(Effect.mapError(() => new WrongSetting({ variable: name, expected })))

export const or = <A>(fallback: A) =>
  Effect.map((given: Option.Option<A>) => Option.getOrElse(given, () => fallback))

/** Reads a switch that is on by default. */
export const onOrOff = (name: string) =>
  variable(name, word(Schema.Literals(["on", "off"])), "on or off").pipe(
    or<"on" | "off">("on"),
    Effect.map((value) => value === "on"),
  )

export const redacted = Effect.map(Option.map((secret: string) => Redacted.make(secret)))
