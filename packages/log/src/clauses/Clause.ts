/**
 * A clause that can decide the outcome of an operation: a section of the contract or of an API reference, or one item in
 * such a section.
 */
export interface Clause {
  /** The clause's name in activity entries, such as `track-api §2.1 rule 3`. */
  readonly rule: string
  readonly title: string
  /** The text of the clause, as Markdown. */
  readonly text: string
  /** The path of the clause's page relative to the repository, followed by the anchor of the clause. */
  readonly url: string
}
