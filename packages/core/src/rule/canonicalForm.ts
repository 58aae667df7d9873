import { isJsonObject } from "../values/Json.ts"
import type { Leaf } from "./Rule.ts"

/**
 * Returns a text that is the same for leaves that ask the same, however they are written: `7d` and `1w`, or conditions
 * in another order. Rules share the state of a leaf by this text.
 */
export const canonicalForm = (leaf: Leaf): string => {
  const known = forms.get(leaf)
  if (known !== undefined) return known
  const form = formOf(leaf)
  forms.set(leaf, form)
  return form
}

/** Rules are compiled again whenever one of them changes, mostly from the same leaves. */
const forms = new WeakMap<Leaf, string>()

/** Every array in a leaf is a set. */
const formOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formOf))].toSorted().join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${formOf(value[name])}`).join()}}`
}
