import { errorText } from "../log/ErrorText.ts"

/** What is wrong with a path of the setting `omit`. */
export const omitTexts = {
  root: errorText(
    "{path}: a path begins with `context.`, `properties.` or `traits.`; the presets are `url-query` and `url-tokens`",
    "Write where calls have the value, such as `context.page.search`. `properties` stands for the data of events, `traits` for attributes.",
  ),
  wholeRoot: errorText(
    "{path}: a path names a key below `{root}`",
    "Name each key to omit, such as `{root}.card`. To keep no context at all, set `context` to `off`.",
  ),
  emptyKey: errorText(
    "{path}: a key of the path is empty",
    "Remove the dot that has no key beside it. A dot that belongs to a key is written `\\.`.",
  ),
  tooLong: errorText(
    "a path can have at most {max} characters, and this one has {length}",
    "Omit a key further up, which has the value in it.",
  ),
  halfCharacter: errorText(
    "a path must consist of whole characters",
    "Write the path as it stands in calls.",
  ),
  tooMany: errorText(
    "a workspace can omit at most {max} paths, and these are {count}",
    "Omit a key that several of the paths have in common.",
  ),
}
