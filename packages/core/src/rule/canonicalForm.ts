import { isJsonObject } from "../values/Json.ts"
import { isCounting, type Leaf } from "./Rule.ts"

/**
 * Returns a text that is the same for leaves that ask the same, however they are written: `7d` and `1w`, or conditions
 * in another order.
 */
export const canonicalForm = (leaf: Leaf): string => known(forms, leaf, formOf)

/**
 * Returns a text that is the same for leaves that share a state. Leaves that count the same do, however often they ask for it
 * and in whichever time up to now, because the newest times decide them all.
 */
export const sharedForm = (leaf: Leaf): string =>
  isCounting(leaf)
    ? known(sharedForms, leaf, () => {
        const window = leaf.window._tag === "Between" ? leaf.window : null
        return formOf({ ...leaf, count: null, window })
      })
    : canonicalForm(leaf)

/** Rules are compiled again whenever one of them changes, mostly from the same leaves. */
const forms = new WeakMap<Leaf, string>()
const sharedForms = new WeakMap<Leaf, string>()

const known = (texts: WeakMap<Leaf, string>, leaf: Leaf, make: (leaf: Leaf) => string): string => {
  const text = texts.get(leaf) ?? make(leaf)
  texts.set(leaf, text)
  return text
}

/** Every array in a leaf is a set. */
const formOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formOf))].toSorted().join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${formOf(value[name])}`).join()}}`
}
