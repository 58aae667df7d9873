import { nameSearch } from "@inlethq/core/log/NameSearch"
import { operators, takes, testsText, type Scalar } from "@inlethq/core/rule/operators"
import { countValues, type KnownValue } from "../../shared/query/QueryLanguage.ts"
import { counted } from "../../shared/values/figures.ts"
import { isRecord } from "../../shared/values/isRecord.ts"
import { listItems, type RowCondition } from "./rowValues.ts"

type Fields = Readonly<Record<string, unknown>>

/** The newest of what a condition is about. */
export interface Sample {
  readonly of: { readonly one: string; readonly many: string }
  readonly items: ReadonlyArray<Fields>
  /** Whether these are all. */
  readonly isWhole: boolean
}

/** The values at a dotted path. Keys may have dots themselves, and with `any` the path leads through lists. */
export const valuesAt = (fields: unknown, path: string, any: boolean): ReadonlyArray<unknown> => {
  if (Array.isArray(fields)) return any ? fields.flatMap((one) => valuesAt(one, path, any)) : []
  if (!isRecord(fields)) return []
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const value = fields[path.slice(0, end)]
    if (value === undefined || value === null) continue
    if (end < path.length) return valuesAt(value, path.slice(end + 1), any)
    return any && Array.isArray(value) ? value : [value]
  }
  return []
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const scalarsAt = (sample: Sample, { any, field }: RowCondition): ReadonlyArray<Scalar> =>
  sample.items.flatMap((item) => valuesAt(item, field.trim(), any)).filter(isScalar)

/** The values that the field of a condition has in a sample, with how often. */
export const knownValues = (sample: Sample | undefined, condition: RowCondition): ReadonlyArray<KnownValue> =>
  sample === undefined
    ? []
    : countValues(scalarsAt(sample, condition).map((value) => [String(value), 1] as const))

/** The most values that are named beside one that nothing has. */
const namedMax = 3

/** Says that nothing in a sample passes a test, and what there is instead. Undefined if something does, or nobody knows. */
export const nothingPasses = (sample: Sample | undefined, condition: RowCondition): string | undefined => {
  const { field, value } = condition
  if (sample === undefined || sample.items.length === 0 || field.trim() === "") return undefined
  const values = scalarsAt(sample, condition)
  const looked = sample.isWhole
    ? `None of the ${counted(sample.items.length, sample.of.one, sample.of.many)}`
    : `None of the newest ${counted(sample.items.length, sample.of.one, sample.of.many)}`
  if (values.length === 0) return `${looked} has ${field.trim()}.`
  if (value.trim() === "" || values.some((one) => mayPass(condition, one))) return undefined
  const there = countValues(values.map((one) => [String(one), 1] as const))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, namedMax)
    .map((one) => one.value)
  return `${looked} passes this test. ${field.trim()} is, for example, ${there.join(", ")}.`
}

/** Whether a value passes a test. Tests of times are not made here, so every value may pass them. */
const mayPass = ({ ignoreCase, operator, value }: RowCondition, found: Scalar): boolean => {
  const isCaseless = ignoreCase && testsText(operator)
  const given = isCaseless ? value.trim().toLowerCase() : value.trim()
  const one = isCaseless && typeof found === "string" ? found.toLowerCase() : found
  if (takes(operator, "scalar")) return operators[operator].holds(one, given)
  if (takes(operator, "scalars")) return operators[operator].holds(one, listItems(given))
  if (takes(operator, "number")) return operators[operator].holds(Number(one), Number(given))
  if (takes(operator, "text")) return operators[operator].holds(String(one), given)
  return true
}

/** Says that no name that is known fits a search for names, and which ones come near. Undefined if one fits. */
export const nothingIsNamed = (
  names: ReadonlyArray<KnownValue> | undefined,
  search: string,
): { readonly near: ReadonlyArray<string>; readonly wider: string | undefined } | undefined => {
  const text = search.trim()
  // Names that look like data are counted together as `*`, so any name may be among them.
  if (names === undefined || text === "" || names.some(({ value }) => value === "*")) return undefined
  const fits = nameSearch(text)
  if (names.some(({ value }) => fits(value))) return undefined
  const isPlain = !/[*+|\\]/.test(text)
  const near = names
    .filter(({ value }) => isPlain && value.toLowerCase().includes(text.toLowerCase()))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .map(({ value }) => value)
  const wider = `*${text}*`
  return { near, wider: near.some(nameSearch(wider)) ? wider : undefined }
}
