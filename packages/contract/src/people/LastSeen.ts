import { Schema } from "effect"
import { IsoTime } from "../values/IsoTime.ts"

/** Where somebody was when they were last seen. */
export const LastSeenDocument = Schema.Struct({
  at: IsoTime,
  page: Schema.NullOr(Schema.String),
  app: Schema.NullOr(Schema.String),
  device: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "LastSeen",
  description:
    "the time of the newest call of a person that tells a page, an app, a device or a country, and what it tells: the address or path of the page, the name and version of the app, the maker and model of the device, and the ISO code of the country",
})
export type LastSeenDocument = typeof LastSeenDocument.Type
