/** The documentation of a message, which `docs/errors.md` is generated from. */
export interface TextNote {
  /** Where the text appears. */
  readonly seen: string
  readonly expected: string
  /** The action that the developer should take. */
  readonly remedy: string
}
