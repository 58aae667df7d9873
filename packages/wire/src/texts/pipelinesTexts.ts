import { catalogue, faultText } from "@inlethq/core/log/ErrorText"

/** Faults that only a Pipelines call can have. */
export const pipelinesTexts = catalogue("pipelines_", {
  missing: faultText("required", "{field} is required", "Send the field."),
  callerMissing: faultText(
    "required",
    "userId or anonymousId is required",
    "Send `userId` or `anonymousId`.",
  ),
  wrongForm: faultText(
    "invalid",
    "{field} must be {form}",
    "Send a value of the type that the message names.",
  ),
  unknownType: faultText(
    "unknown_type",
    "unknown type {type}: expected identify, track, page, screen, group or alias",
    "Correct `type`.",
  ),
  unknownContentAction: faultText(
    "invalid",
    "actionType must be viewed_content or clicked_content",
    "Correct `properties.actionType`.",
  ),
  unknownKey: faultText(
    "unauthorized",
    "unknown write key",
    "Create a key, or correct the key that the client sends.",
  ),
  stopped: faultText(
    "invalid",
    "not applied because another call of the batch is invalid",
    "Correct the call that the response names, then send the whole batch again.",
  ),
})
