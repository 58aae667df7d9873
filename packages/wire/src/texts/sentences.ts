import { errorText, fillTemplate } from "@inlethq/core/log/ErrorText"
import { listTexts } from "@inlethq/core/log/operationTexts"
import type { Reason, TextValues } from "@inlethq/core/log/Reason"
import { reasonTexts } from "./reasonTexts.ts"
import { pathInBrand, textInBrand, type WrittenBrand } from "./WrittenBrand.ts"

/*
 * Sentences about reasons, made when somebody reads them. The brand changes what the server writes: templates, paths and
 * its own words. What a client sent stands in a sentence as it was sent.
 */

/** The placeholders that the server fills with names of its own, which are written in the brand of the reader. */
const ownWords = ["kind", "before", "actions", "values"]

/** Returns a reason as it is shown: its path and the server's own words in a brand. */
export const reasonInBrand = (brand: WrittenBrand, { code, field, values }: Reason): Reason => ({
  code,
  field: pathInBrand(brand, field),
  values: valuesInBrand(brand, values),
})

const valuesInBrand = (brand: WrittenBrand, values: TextValues): TextValues =>
  brand === "svc"
    ? values
    : Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === "string" ? valueInBrand(brand, name, value) : value,
        ]),
      )

const valueInBrand = (brand: WrittenBrand, name: string, value: string): string => {
  if (name === "topic") return pathInBrand(brand, value)
  return ownWords.includes(name) ? textInBrand(brand, value) : value
}

/** Returns the message of a reason or a fault. The code stands for a message that this version does not know. */
export const messageOf = (brand: WrittenBrand, reason: Reason): string => {
  const { code, field, values } = reasonInBrand(brand, reason)
  const template = reasonTexts.get(code)?.template ?? code
  const name = field.slice(field.lastIndexOf(".") + 1)
  return fillTemplate(textInBrand(brand, template), { ...values, field, name })
}

/** How a sentence lists stale attributes. */
const staleText = errorText("stale: {names} (newer values are stored)", "")

/** Returns what a sentence says about one reason. */
export type Saying = (reason: Reason) => string

/**
 * Returns the reasons of a log entry as one sentence, or null if there are none. `say` says the reasons, except those of
 * stale attributes, which are listed together.
 */
export const sentenceOf = (
  brand: WrittenBrand,
  reasons: ReadonlyArray<Reason>,
  say: Saying = (reason) => saying(brand, reason),
): string | null => {
  if (reasons.length === 0) return null
  const stale = reasons.filter(isStale)
  const said = reasons.filter((reason) => !isStale(reason)).map(say)
  if (stale.length > 0) {
    const names = stale.map((reason) =>
      reason.code === listTexts.moreStale.code ? messageOf(brand, reason) : pathInBrand(brand, reason.field),
    )
    said.push(staleText({ names: names.join(", ") }))
  }
  return said.join("; ")
}

/** Says a reason: its message, after its path if it has one with which the message does not begin. */
export const saying = (brand: WrittenBrand, reason: Reason): string => {
  const message = messageOf(brand, reason)
  const namesPath = reasonTexts.get(reason.code)?.template.startsWith("{field} ") === true
  return reason.field === "" || namesPath ? message : `${pathInBrand(brand, reason.field)}: ${message}`
}

/** Returns whether a reason is about an attribute for which a newer value is stored. */
export const isStale = ({ code }: Pick<Reason, "code">): boolean =>
  code === listTexts.moreStale.code || reasonTexts.get(code)?.reason === "stale"

/** Returns what the sender should do about reasons: the advice for each in their order, without duplicates. */
export const remediesOf = (
  brand: WrittenBrand,
  reasons: ReadonlyArray<Pick<Reason, "code">>,
): ReadonlyArray<string> => {
  const remedies = reasons.flatMap(({ code }) => reasonTexts.get(code)?.remedy ?? [])
  return [...new Set(remedies)].map((remedy) => textInBrand(brand, remedy))
}
