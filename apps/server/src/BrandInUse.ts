import type { WrittenBrand } from "@inlet/api/wire/WrittenBrand"
import { Context } from "effect"

/** The prefix, `svc` or `cio`, of branded names in this server's answers (`INLET_BRAND`). */
export const BrandInUse = Context.Reference<WrittenBrand>("@inlet/server/BrandInUse", {
  defaultValue: () => "svc",
})
