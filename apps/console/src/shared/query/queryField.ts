import { useLayoutEffect, type RefObject } from "react"
import type { QueryLanguage } from "./QueryLanguage.ts"

/** Where the caret was in a field that another one replaces. Null if the field had no focus. */
export type Caret = readonly [start: number | null, end: number | null] | null

/** A field of a query line: the one with completions, or the one that stands there until its script has arrived. */
export interface QueryFieldProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly kept: RefObject<Caret>
  readonly label: string
  readonly language: QueryLanguage
  readonly placeholder: string
  readonly text: string
  readonly setText: (text: string) => void
  /** Where the caret goes once a changed text is shown. */
  readonly caret: RefObject<number | undefined>
  /** Asks what is typed. */
  readonly onSubmit: (text: string) => void
}

/** The properties of every field of a query line. */
export const queryInput = {
  autoCapitalize: "off",
  className:
    "h-8 w-full rounded-md border border-line-strong bg-raised pr-8 pl-8 font-mono text-xs placeholder:font-sans placeholder:text-sm pointer-coarse:h-11 pointer-coarse:pr-11 pointer-coarse:text-base",
  maxLength: 1000,
  spellCheck: false,
}

/** Gives a field the focus and the caret of the field that it replaces. */
export const useFocusKept = ({ input, kept }: Pick<QueryFieldProps, "input" | "kept">): void => {
  useLayoutEffect(() => {
    const field = input.current
    if (kept.current !== null) {
      // The focus asks for completions at the caret.
      field?.setSelectionRange(...kept.current)
      field?.focus()
    }
    return () => {
      kept.current =
        field !== null && document.activeElement === field ? [field.selectionStart, field.selectionEnd] : null
    }
  }, [input, kept])
}
