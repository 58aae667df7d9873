import type { Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import type { ConsoleVisit } from "./ConsoleVisit.ts"

/** Opens a page of the console. During the test, the page must not log an error except those that are expected. */
export const visitWithoutErrors = async (
  opened: ConsoleVisit,
  path: string,
  isExpected: (error: string) => boolean = () => false,
): Promise<Page> => {
  const errorsBefore = opened.errors.length
  onTestFinished(() =>
    expect(opened.errors.slice(errorsBefore).filter((error) => !isExpected(error))).toEqual([]),
  )
  await opened.go(path)
  await opened.page.getByRole("heading").first().waitFor()
  return opened.page
}
