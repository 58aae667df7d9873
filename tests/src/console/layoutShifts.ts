import type { Page } from "playwright-core"

/** The sum of layout shifts from which on a page is said to jump. The good range of Core Web Vitals ends at twice as much. */
export const shiftedMax = 0.05

/** Records every layout shift that no input caused, with what moved. A context runs it before each page. */
export const recordShifts = `(() => {
  globalThis.layoutShifts = []
  const nameOf = ({ currentRect, node, previousRect }) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    const text = (element?.textContent ?? "").slice(0, 40)
    return \`\${element?.tagName} "\${text}" from y \${previousRect.y}+\${previousRect.height} to \${currentRect.y}+\${currentRect.height}, x \${previousRect.x}+\${previousRect.width} to \${currentRect.x}+\${currentRect.width}\`
  }
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources, value } of list.getEntries()) {
      if (!hadRecentInput) globalThis.layoutShifts.push({ value, moved: sources.map(nameOf) })
    }
  }).observe({ type: "layout-shift", buffered: true })
})()`

interface Shift {
  readonly value: number
  readonly moved: ReadonlyArray<string>
}

/** Returns the layout shifts of a page since it was opened. Their sum is at least its cumulative layout shift. */
export const shiftsOf = async (
  page: Page,
): Promise<{ readonly total: number; readonly shifts: ReadonlyArray<Shift> }> => {
  const shifts = await page.evaluate<ReadonlyArray<Shift>>("globalThis.layoutShifts")
  return { shifts, total: shifts.reduce((sum, { value }) => sum + value, 0) }
}
