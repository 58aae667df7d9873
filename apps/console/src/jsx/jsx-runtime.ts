// The compiler turns the JSX of the console into calls of this module. This module escapes characters that reverse
// text, so a text from a client cannot reverse the text around it.
import type { ElementType, Key, ReactElement } from "react"
import { jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime"
import { withVisibleTexts } from "./visibleTexts.ts"

export { Fragment, type JSX } from "react/jsx-runtime"

export const jsx = (type: ElementType, props: unknown, key?: Key): ReactElement =>
  reactJsx(type, withVisibleTexts(props), key)

export const jsxs = (type: ElementType, props: unknown, key?: Key): ReactElement =>
  reactJsxs(type, withVisibleTexts(props), key)
