import { Schema } from "effect"

/**
 * What people can have alike, so that they may be one: the email but for case, dots and what follows a plus, the digits of the
 * phone, or the name together with the postcode.
 */
export const LikenessKind = Schema.Literals(["email", "phone", "name_postcode"])
export type LikenessKind = typeof LikenessKind.Type

/** All kinds, in the order in which pairs are listed. */
export const likenessKinds: ReadonlyArray<LikenessKind> = LikenessKind.literals

/** Returns the kinds without repetitions, in the order of `likenessKinds`. */
export const sortedKinds = (kinds: ReadonlyArray<LikenessKind>): ReadonlyArray<LikenessKind> =>
  likenessKinds.filter((kind) => kinds.includes(kind))
