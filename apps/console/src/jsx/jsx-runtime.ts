// The compiler turns the JSX of the console into calls of this module. All texts that the console shows pass through here,
// so no text of a client can reverse the text around it.
import type { ElementType, Key, ReactElement } from "react"
import { jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime"
import { withVisibleTexts } from "./visibleTexts.ts"

export { Fragment, type JSX } from "react/jsx-runtime"

export const jsx = (type: ElementType, props: unknown, key?: Key): ReactElement =>
  reactJsx(type, withVisibleTexts(props), key)

export const jsxs = (type: ElementType, props: unknown, key?: Key): ReactElement =>
  reactJsxs(type, withVisibleTexts(props), key)
