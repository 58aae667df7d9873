import { isPersonId } from "@inlethq/core/values/idText"
import { defaultBrand, unprefixed } from "../decoding/Brand.ts"

/** A query of the list of people that finds at most one person, by a complete identifier. */
export type PersonQuery =
  | { readonly svc_id: string }
  | { readonly id: string }
  | { readonly email: string }
  | { readonly anonymous_id: string }

/**
 * Returns the queries that find the person whom an operator names, in the order in which they decide. `svc_…` and `cio_…`
 * are the permanent id first. Any other text is an id, an email, a `svc_id` without prefix or an anonymous id. `name` is
 * not empty.
 */
export const personQueries = (name: string): ReadonlyArray<PersonQuery> => {
  const prefixed = prefixedSvcId(name)
  if (prefixed !== undefined) return [{ svc_id: prefixed }, { id: name }, { anonymous_id: name }]
  return [
    { id: name },
    ...(name.includes("@") ? [{ email: name }] : []),
    ...(isPersonId(name) ? [{ svc_id: name }] : []),
    { anonymous_id: name },
  ]
}

/** Returns the `svc_id` in a text such as `svc_p11000000001`, or undefined if the text has no brand prefix or no id. */
export const prefixedSvcId = (text: string): string | undefined => {
  const bare = unprefixed(defaultBrand, text)
  return bare !== undefined && isPersonId(bare) ? bare : undefined
}
