// The development server of Vite uses this module in place of `jsx-runtime.ts`.
import type { ElementType, Key, ReactElement } from "react"
import { jsxDEV as reactJsxDev, type JSXSource } from "react/jsx-dev-runtime"
import { withVisibleTexts } from "./visibleTexts.ts"

export { Fragment, type JSX } from "react/jsx-dev-runtime"

export const jsxDEV = (
  type: ElementType,
  props: unknown,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement => reactJsxDev(type, withVisibleTexts(props), key, isStatic, source, self)
