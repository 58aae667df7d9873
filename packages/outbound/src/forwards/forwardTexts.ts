import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about forwards, in responses of the management API and in recorded attempts. */
export const forwardTexts = {
  notChosen: errorText(
    "the filter of the forward, the `integrations` of the call or its outcome leaves it out",
    "Nothing to do, unless the receiver should have it: then change the filter, or the call.",
  ),
  unsaid: errorText(
    "the API of the receiver has no such call",
    "Nothing to do. [forward.md](forward.md#what-the-other-side-cannot-be-told) lists these calls.",
  ),
  erased: errorText(
    "whoever it is about was erased",
    "Nothing to do: nothing of people who were erased is sent.",
  ),
  keyNeeded: errorText("key: is required", "Send the key of the receiver, which is stored encrypted."),
  segmentKey: errorText(
    "key: must be a write key without a colon",
    "Send the write key of the source. A site id and an API key belong to a forward with `to` set to `track-v2`.",
  ),
  trackKey: errorText(
    "key: must be a site id and an API key with a colon between them",
    "Send `<site_id>:<api_key>`.",
  ),
  nameReserved: errorText(
    "name: {name} is what `integrations` call everything, so no forward can have this name",
    "Choose another name.",
  ),
  queryInUrl: errorText(
    "url: cannot have a query or a fragment, because the path of the API is added to it",
    "Send the base address, such as `https://track.example.com/api`.",
  ),
  versionInUrl: errorText(
    "url: cannot end in /{end}, because the path of the API is added to it",
    "Send the base address without the version, such as `https://track.example.com/api`.",
  ),
  wrongFilter: errorText("filter: {problem}", "Correct the filter. [filters.md](filters.md) lists the keys."),
}
