import { errorText } from "./ErrorText.ts"
import type { KeptReason } from "./KeptValue.ts"

/** Says why a value was read differently than it was sent, and what the sender should do. */
export const keptTexts = {
  not_boolean: errorText(
    'only true, 1, "1" and "true" count as true, everything else as false',
    "Send `unsubscribed` as true or false.",
  ),
  topic_text: errorText(
    "a topic is true or false, so the text was read as that",
    "Send topics as true or false.",
  ),
  unknown_topic_text: errorText(
    "a topic is true or false, and the text is neither, so it was stored as text",
    "Send topics as true or false.",
  ),
  rounded: errorText(
    "a number keeps its digits only up to 2^53",
    "Send numbers beyond 2^53, such as ids of other systems, as text.",
  ),
  characters: errorText(
    "half a character (a lone surrogate) was replaced by U+FFFD",
    "Do not cut texts inside a character such as an emoji.",
  ),
  data_beside_attributes: errorText(
    "`attributes` stand beside `data`, and only these are read",
    "Send the data of an event in `attributes` alone.",
  ),
  flat_field: errorText(
    "the field is none of the call, so it was moved into the event's data",
    "Send the data of an event in `data`, or in `attributes` of the Track API v2.",
  ),
  flat_field_repeated: errorText(
    "the event's data have a field of this name, so this one was not read",
    "Send each field of an event once.",
  ),
  not_an_object: errorText(
    "the field must be an object, so it was read as an empty one",
    "Send `context` and `integrations` as objects.",
  ),
} satisfies Record<KeptReason, unknown>
