import { visibleText } from "../shared/visibleText.ts"

/**
 * Returns the properties of an element. In the text of the element, visible escapes replace all characters that reverse
 * text.
 */
export const withVisibleChildren = (props: unknown): unknown => {
  if (typeof props !== "object" || props === null || !("children" in props)) return props
  const { children } = props
  if (!Array.isArray(children)) {
    const visible = visibleChild(children)
    return visible === children ? props : { ...props, children: visible }
  }
  // Few elements contain text with characters to escape. All others are returned unchanged, without a copy.
  const isVisible = children.every((child) => visibleChild(child) === child)
  return isVisible ? props : { ...props, children: children.map(visibleChild) }
}

const visibleChild = (child: unknown): unknown => (typeof child === "string" ? visibleText(child) : child)
