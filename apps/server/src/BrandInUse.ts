import type { WrittenBrand } from "@inlet/api/wire/WrittenBrand"
import { Context } from "effect"

/** The brand that this server writes (`INLET_BRAND`). */
export const BrandInUse = Context.Reference<WrittenBrand>("@inlet/server/BrandInUse", {
  defaultValue: () => "svc",
})
