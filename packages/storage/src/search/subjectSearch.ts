import type { SubjectSearch } from "@inlethq/core/catalog/SubjectSearch"
import { comparedName, nameTextStart } from "@inlethq/core/state/searchedNames"
import { deliveryText, formText, identifierText, objectText } from "@inlethq/core/values/Identifier"

/** The lookup texts by which a store finds the candidates of a search. */
export interface SearchTexts {
  /** Texts that lead to exact matches. */
  readonly whole: ReadonlyArray<string>
  /** The beginnings of texts that lead to other matches. */
  readonly beginnings: ReadonlyArray<string>
}

/**
 * Returns the lookup texts of a search, except those of objects of which the text is the id alone: each type has one of
 * its own (`objectText`).
 */
export const searchTexts = ({ text }: Pick<SubjectSearch, "text">): SearchTexts => {
  const name = comparedName(text)
  const objects = typedObjects(text)
  const messages = [deliveryText(text), formText(text)]
  const identifiers = [identifierText("id", text), identifierText("email", text)]
  return {
    whole: [...identifiers, identifierText("anonymous_id", text), ...messages, ...objects],
    beginnings: [...identifiers, ...messages, ...objects, ...(name === "" ? [] : [nameTextStart(name)])],
  }
}

/** Returns the lookup texts of the objects that a text such as `1/acme` can name: one for each slash. */
const typedObjects = (text: string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (let at = text.indexOf("/", 1); at >= 0; at = text.indexOf("/", at + 1)) {
    texts.push(objectText(text.slice(0, at), text.slice(at + 1)))
  }
  return texts
}
