import type { Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import type { ConsoleVisit } from "./ConsoleVisit.ts"

/**
 * Opens a page of the console. Fails the test if the page logs an error during the test, unless `isExpected` returns
 * true for the error.
 */
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
