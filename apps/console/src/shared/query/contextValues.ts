import { appOf, textIn } from "@inlethq/log/explanation/cameFrom"
import type { ActivityDocument } from "../../api/documents.ts"

/** What the filter language compares with some of its keys, read from an operation. */
export const contextValues = {
  source: ({ source }: ActivityDocument) => source,
  page: ({ context = {} }: ActivityDocument) => textIn(context, "page", "path"),
  campaign: ({ context = {} }: ActivityDocument) => textIn(context, "campaign", "name"),
  app: ({ context = {} }: ActivityDocument) => textIn(context, "app", "name") ?? appOf(context),
  country: ({ geo }: ActivityDocument) => (typeof geo?.country === "string" ? geo.country : undefined),
  library: ({ context = {} }: ActivityDocument) => textIn(context, "library", "name"),
}
