import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { Context } from "effect"

/** The prefix of names such as `svc_id` in the responses of this server: `svc` or `cio` (`INLET_BRAND`). */
export const BrandInUse = Context.Reference<WrittenBrand>("@inlethq/http/BrandInUse", {
  defaultValue: () => "svc",
})
