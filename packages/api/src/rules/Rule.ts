/** What decided an operation: a section of the contract or of a reference, or a rule within one. */
export interface Rule {
  /** The name, as entries of the activity log give it, such as `track-api §2.1 rule 3`. */
  readonly rule: string
  readonly title: string
  /** What the rule says, as Markdown. */
  readonly text: string
  /** The rule's place in the documentation, relative to the repository. */
  readonly url: string
}
