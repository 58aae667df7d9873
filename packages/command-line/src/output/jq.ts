import { Data, Effect } from "effect"

/** An expression that jq does not accept. */
class WrongExpression extends Data.TaggedError("WrongExpression")<{ readonly problem: string }> {}

/** What an expression makes of some JSON documents. */
interface Filtered {
  /** The results, one on each line, strings without quotes. */
  readonly output: string
  /** Why jq stopped, after it had written `output`. Undefined if it did not fail. */
  readonly problem: string | undefined
}

/** Prints each result on one line, and strings without quotes. */
const flags = ["--compact-output", "--raw-output"]

/** Returns a function that applies a jq expression to one or more JSON documents. Loads jq, which takes 0.1 s. */
export const compileJq = Effect.fnUntraced(function* (expression: string) {
  // jq is loaded on demand, so that all other commands start faster.
  const jq = yield* Effect.promise(async () => (await import("jq-wasm/inline")).loadJq())
  // A leading space keeps jq from reading an expression such as `-1` as an option.
  const query = expression.startsWith("-") ? ` ${expression}` : expression
  const filter = (documents: string): Filtered => {
    const { exitCode, stderr, stdout } = jq.raw(documents, query, flags)
    return { output: stdout, problem: exitCode === 0 ? undefined : problemIn(stderr, exitCode) }
  }
  // Without a document, jq only compiles the expression.
  const { problem } = filter("")
  if (problem !== undefined) return yield* new WrongExpression({ problem })
  return filter
})

/** Returns the message of jq without its prefix and without the count of errors at its end. */
const problemIn = (stderr: string, exitCode: number): string => {
  const text = stderr
    .trimEnd()
    .replace(/\n?jq: \d+ compile errors?$/, "")
    .replace(/^jq: (error: |error )?/, "")
    .trimEnd()
  return text === "" ? `jq ended with code ${exitCode}` : text
}
