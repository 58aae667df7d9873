import { fitsPattern, wildcardPattern } from "@inlethq/core/log/WildcardPattern"
import { textIn } from "../explanation/cameFrom.ts"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { codesSaying } from "@inlethq/wire/texts/reasonCodes"
import type { EntryFilter, FilterKey, FilterTerm, FilterValue } from "./EntryFilter.ts"

/** Returns true if a log entry matches a filter. */
export type EntryMatcher = (entry: ActivityDocument) => boolean

/** Prepares a filter for matching many entries. Case matters, except in emails. */
export const entryMatcher = (filter: EntryFilter): EntryMatcher => {
  const terms = filter.map(termMatcher)
  return (entry) => terms.every((matches) => matches(entry))
}

const termMatcher = ({ isExcluded, key, values }: FilterTerm): EntryMatcher => {
  if (key === "reason") {
    const isWanted = reasonTest(values)
    return ({ reasons }) => reasons.some(({ code }) => isWanted(code)) !== isExcluded
  }
  const tests = values.map(key === null ? startTest : textTest)
  const textsOf = key === null ? textsOfWord : textsOfKey[key]
  return (entry) =>
    textsOf(entry).some((text) => text !== null && tests.some((test) => test(text))) !== isExcluded
}

/**
 * A text of a log entry that filter terms are compared with. Emails are objects, because their case is ignored in
 * comparisons.
 */
type Text = string | { readonly email: string } | null

type TextTest = (text: Exclude<Text, null>) => boolean

const textTest = (value: FilterValue): TextTest => {
  const exact = wildcardPattern(value)
  const lowerCase = wildcardPattern(value.map((text) => text.toLowerCase()))
  return (text) =>
    typeof text === "string" ? fitsPattern(exact, text) : fitsPattern(lowerCase, text.email.toLowerCase())
}

/** Returns a test for the code of a reason. A code that this version does not know is compared as it is. */
const reasonTest = (values: ReadonlyArray<FilterValue>): ((code: string) => boolean) => {
  const codes = new Set(values.flatMap(codesSaying))
  const patterns = values.map(wildcardPattern)
  return (code) => codes.has(code) || patterns.some((pattern) => fitsPattern(pattern, code))
}

/** Returns a test for a filter word without a key. The test is true for texts that start with the word. */
const startTest = (value: FilterValue): TextTest => textTest(value.at(-1) === "" ? value : [...value, ""])

const emailText = (email: string | null): Text => (email === null ? null : { email })

const personTexts = ({ subject }: ActivityDocument): ReadonlyArray<Text> => [
  subject.svc_id,
  ...(subject.svc_id === null ? [] : defaultBrand.prefixes.map((prefix) => prefix + subject.svc_id)),
  subject.id,
  emailText(subject.email),
  subject.anonymous_id,
]

const objectTexts = ({ subject: { object_id, object_type_id } }: ActivityDocument): ReadonlyArray<Text> => [
  object_id,
  object_id === null ? null : `${object_type_id}/${object_id}`,
]

/**
 * Returns the operation id and the id of its batch. The id of the batch is the part of the operation id before the
 * index, so a filter for this id matches all operations of the batch.
 */
const operationTexts = ({ operation_id }: ActivityDocument): ReadonlyArray<Text> => {
  const [batch = operation_id] = operation_id.split("-", 1)
  return [operation_id, batch]
}

/** Returns the ids of the segments that somebody entered or left by a rule. */
const segmentTexts =
  (wanted: "entered" | "left") =>
  ({ effects }: ActivityDocument): ReadonlyArray<Text> =>
    effects.flatMap(({ change, segment_id }) => (change === wanted ? [String(segment_id)] : []))

const contextText = (context: ActivityDocument["context"], ...path: ReadonlyArray<string>): Text =>
  context === undefined ? null : (textIn(context, ...path) ?? null)

/** Returns the name of a client, and its name with its version. */
const namedTexts = (context: ActivityDocument["context"], key: string): ReadonlyArray<Text> => {
  const name = contextText(context, key, "name")
  const version = contextText(context, key, "version")
  return [name, typeof name === "string" && typeof version === "string" ? `${name}/${version}` : null]
}

const textsOfKey: Readonly<
  Record<Exclude<FilterKey, "reason">, (entry: ActivityDocument) => ReadonlyArray<Text>>
> = {
  kind: ({ kind }) => [kind],
  outcome: ({ outcome }) => [outcome],
  name: ({ name }) => [name],
  source: ({ source }) => [source],
  key: ({ sender }) => [
    sender?.key?.key_id ?? null,
    sender?.key?.name ?? null,
    sender?.token?.token_id ?? null,
    sender?.token?.name ?? null,
  ],
  client: ({ sender }) => [sender?.user_agent ?? null],
  rule: ({ rule }) => [rule],
  person: personTexts,
  object: objectTexts,
  operation: operationTexts,
  id: ({ id }) => [id],
  entered: segmentTexts("entered"),
  left: segmentTexts("left"),
  segment: ({ effects }) => effects.map(({ segment_id }) => String(segment_id)),
  page: ({ context }) => [contextText(context, "page", "path"), contextText(context, "page", "url")],
  campaign: ({ context }) => [contextText(context, "campaign", "name")],
  app: ({ context }) => namedTexts(context, "app"),
  country: ({ geo }) => [geo?.country ?? null],
  bot: ({ bot }) => [String(bot === true)],
  library: ({ context }) => namedTexts(context, "library"),
  plan: ({ plan }) => [plan === undefined ? null : "violated"],
}

const textsOfWord = (entry: ActivityDocument): ReadonlyArray<Text> => [
  entry.name,
  ...personTexts(entry),
  ...objectTexts(entry),
  entry.operation_id,
  entry.id,
]
