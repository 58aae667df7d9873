import type { Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import type { ConsoleVisit } from "./ConsoleVisit.ts"

/** Fails the test if the page logs an error from now on, unless `isExpected` returns true for the error. */
export const expectNoErrors = (
  opened: ConsoleVisit,
  isExpected: (error: string) => boolean = () => false,
): void => {
  const errorsBefore = opened.errors.length
  onTestFinished(() =>
    expect(opened.errors.slice(errorsBefore).filter((error) => !isExpected(error))).toEqual([]),
  )
}

/** Opens a page of the console, and fails the test if it logs an error that is not expected. */
export const visitWithoutErrors = async (
  opened: ConsoleVisit,
  path: string,
  isExpected?: (error: string) => boolean,
): Promise<Page> => {
  expectNoErrors(opened, isExpected)
  await opened.go(path)
  await opened.page.getByRole("heading").first().waitFor()
  return opened.page
}
