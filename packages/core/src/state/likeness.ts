import type { LikenessKind } from "../workspace/Likeness.ts"
import { valueOf, type Attributes } from "./Attributes.ts"
import type { Person } from "./Person.ts"
import { comparedName, searchedName } from "./searchedNames.ts"

/** What is compared of a person. */
export type Compared = Pick<Person, "email" | "attributes">

/** Fewer digits are an extension or a placeholder. */
const phoneDigitsMin = 7

/** No valid phone number is longer. */
const phoneDigitsMax = 15

/** The most characters of a value that are compared. */
const comparedLengthMax = 500

/** Returns what is compared of a person, of each kind that the person has something of. */
export const likenessTexts = (
  person: Compared,
  kinds: ReadonlyArray<LikenessKind>,
): ReadonlyMap<LikenessKind, string> => {
  const texts = new Map<LikenessKind, string>()
  for (const kind of kinds) {
    const text = textOf(person, kind)
    if (text !== null) texts.set(kind, text)
  }
  return texts
}

/** Returns the kinds of which two people have the same. */
export const alikeIn = (
  one: Compared,
  other: Compared,
  kinds: ReadonlyArray<LikenessKind>,
): ReadonlyArray<LikenessKind> => {
  const texts = likenessTexts(other, kinds)
  return [...likenessTexts(one, kinds)].flatMap(([kind, text]) => (texts.get(kind) === text ? [kind] : []))
}

/** Returns the text of which a store keeps the digest. */
export const likenessText = (kind: LikenessKind, text: string): string => `likeness:${kind}:${text}`

const textOf = ({ attributes, email }: Compared, kind: LikenessKind): string | null => {
  switch (kind) {
    case "email":
      return comparedEmail(email ?? attributeText(attributes, "email"))
    case "phone":
      return comparedPhone(attributeText(attributes, "phone"))
    case "name_postcode": {
      const name = comparedWords(searchedName(attributes) ?? "")
      const postcode = comparedPostcode(postcodeOf(attributes))
      return name === "" || postcode === "" ? null : `${name}\n${postcode}`
    }
  }
}

/** Mail to `a.da+news@…` mostly arrives at `ada@…`. */
const comparedEmail = (email: string): string | null => {
  const at = email.lastIndexOf("@")
  const [local = ""] = email.slice(0, Math.max(at, 0)).trim().toLowerCase().split("+")
  const mailbox = local.replaceAll(".", "")
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  return mailbox === "" || domain === "" ? null : `${mailbox}@${domain}`
}

/** `00` and `+` both begin an international number. */
const comparedPhone = (phone: string): string | null => {
  const digits = phone.replaceAll(/\D/g, "").replace(/^00/, "")
  return digits.length < phoneDigitsMin || digits.length > phoneDigitsMax ? null : digits
}

/** Returns a name without accents and punctuation, as `comparedName` compares it. */
const comparedWords = (name: string): string =>
  comparedName(
    name
      .slice(0, comparedLengthMax)
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .replaceAll(/[^\p{L}\p{N}]+/gu, " "),
  )

const comparedPostcode = (postcode: string): string =>
  postcode.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

const postcodeNames = ["postcode", "postal_code", "postalCode", "zip", "zip_code"]

/** Returns the postcode of a person, which may also stand in an attribute `address`. */
const postcodeOf = (attributes: Attributes): string => {
  for (const name of postcodeNames) {
    const postcode = attributeText(attributes, name)
    if (postcode !== "") return postcode
  }
  const address = valueOf(attributes, "address")
  if (typeof address !== "object" || address === null || Array.isArray(address)) return ""
  const parts = new Map(Object.entries(address))
  return postcodeNames.map((name) => asText(parts.get(name))).find((part) => part !== "") ?? ""
}

const attributeText = (attributes: Attributes, name: string): string => asText(valueOf(attributes, name))

const asText = (value: unknown): string =>
  typeof value === "string"
    ? value.slice(0, comparedLengthMax)
    : typeof value === "number" && Number.isSafeInteger(value)
      ? String(value)
      : ""
