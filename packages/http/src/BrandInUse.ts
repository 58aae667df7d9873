import type { WrittenBrand } from "@inlet/wire/texts/WrittenBrand"
import { Context } from "effect"

/** The prefix of names such as `svc_id` in the responses of this server: `svc` or `cio` (`INLET_BRAND`). */
export const BrandInUse = Context.Reference<WrittenBrand>("@inlet/http/BrandInUse", {
  defaultValue: () => "svc",
})
