import { pageItemsDefault, pageItemsMax } from "@inlet/api/management/Page"
import { Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"

/** The flags of commands that print one page of a list. */
export const pageFlags = <Cursor>(cursor: Schema.Codec<Cursor, string>) => ({
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(`The largest number of items to print, up to ${pageItemsMax}`),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageItemsMax }))),
    Flag.withDefault(pageItemsDefault),
  ),
  after: Flag.String("after").pipe(
    Flag.withDescription("Continue after the `next` of the previous page"),
    Flag.withSchema(cursor),
    Flag.optional,
  ),
})

/** Returns the query parameters of a page. */
export const pageQuery = <Cursor>({
  after,
  limit,
}: {
  readonly limit: number
  readonly after: Option.Option<Cursor>
}): { readonly limit: number; readonly after?: Cursor } =>
  Option.isSome(after) ? { limit, after: after.value } : { limit }

/** Adds a description to a flag and makes the flag optional. */
export const optionalFlag = <A>(flag: Flag.Flag<A>, description: string): Flag.Flag<Option.Option<A>> =>
  flag.pipe(Flag.withDescription(description), Flag.optional)

export const personArgument = Argument.String("person").pipe(
  Argument.withDescription("A person, by id, email or svc_…"),
)
