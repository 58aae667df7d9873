/**
 * Returns the arguments of a command line, with the words `help` and `version` as the flags that they stand for: `help
 * people` is `people --help`.
 */
export const withFlagsForWords = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  if (first === "help") return [...rest, "--help"]
  return first === "version" && rest.length === 0 ? ["--version"] : args
}
