import type { Page } from "playwright-core"

/** The fields of a row of the rule builder: `Row 1: name`, `Row 1, condition 1: value`. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

export const chooseKind = (page: Page, number: number, kind: string) =>
  field(page, `Row ${number}: kind`).selectOption({ label: kind })

/** Leaves the page of a segment without saving what was typed. */
export const discard = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Leave without saving" }).click()
  await page.waitForURL(/\/segments$/)
  // Until the list is shown, the page that is left still asks.
  await page.getByRole("region", { name: "Segments", exact: true }).waitFor()
}
