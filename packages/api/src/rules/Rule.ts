/** A rule that can decide an operation: a section of the contract or of a reference, or a rule in one. */
export interface Rule {
  /** The name, as in activity entries, such as `track-api §2.1 rule 3`. */
  readonly rule: string
  readonly title: string
  /** The text of the rule, as Markdown. */
  readonly text: string
  /** The path of the rule in the documentation, relative to the repository. */
  readonly url: string
}
