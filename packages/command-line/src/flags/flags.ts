import { pageItemsDefault, pageItemsMax } from "@inlethq/contract/values/Page"
import { readTime } from "@inlethq/core/values/Timestamp"
import { Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"

/** The flags of commands that print a list. */
export const pageFlags = <Cursor>(cursor: Schema.Codec<Cursor, string>) => ({
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(
      `The largest number of items to print, up to ${pageItemsMax} (default: ${pageItemsDefault})`,
    ),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageItemsMax }))),
    Flag.optional,
  ),
  after: Flag.String("after").pipe(
    Flag.withDescription("Continue after the `next` of the previous page"),
    Flag.withSchema(cursor),
    Flag.optional,
  ),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription(
      "Print all items instead of one page; `--limit` is then the number of items that are read at a time",
    ),
    Flag.withDefault(false),
  ),
})

/** The values of the flags of a command that prints a list. */
export interface PageFlags<Cursor> {
  readonly limit: Option.Option<number>
  readonly after: Option.Option<Cursor>
  readonly all: boolean
}

/** The query parameters of a page. */
export interface PageQuery<Cursor> {
  readonly limit: number
  readonly after?: Cursor
}

/** Returns the query parameters of the first page that the flags ask for. */
export const firstPage = <Cursor>({ after, all, limit }: PageFlags<Cursor>): PageQuery<Cursor> => {
  const size = Option.getOrElse(limit, () => (all ? pageItemsMax : pageItemsDefault))
  return Option.isSome(after) ? { limit: size, after: after.value } : { limit: size }
}

/** Adds a description to a flag and makes the flag optional. */
export const optionalFlag = <A>(flag: Flag.Flag<A>, description: string): Flag.Flag<Option.Option<A>> =>
  flag.pipe(Flag.withDescription(description), Flag.optional)

const Time = Schema.String.check(
  Schema.makeFilter((text) => readTime(text) !== undefined, {
    expected: "a time, such as 2026-01-31 or 2026-01-31T12:00:00Z",
  }),
)

/** A flag with a time, which the server gets as it was typed. */
export const requiredTimeFlag = (name: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(Flag.withMetavar("time"), Flag.withSchema(Time), Flag.withDescription(description))

export const timeFlag = (name: string, description: string): Flag.Flag<Option.Option<string>> =>
  Flag.optional(requiredTimeFlag(name, description))

export const personArgument = Argument.String("person").pipe(
  Argument.withDescription("A person, by id, email or svc_…"),
)
