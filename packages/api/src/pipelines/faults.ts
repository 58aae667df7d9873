import { faultText } from "@inlet/core/log/ErrorText"

/** Faults that only a Pipelines call can have. */
export const pipelinesFaults = {
  missing: faultText("required", "{field} is required", {
    seen: "Pipelines",
    expected: "a value that is neither null nor empty",
    remedy: "Send the field.",
  }),
  callerMissing: faultText("required", "userId or anonymousId is required", {
    seen: "Pipelines",
    expected: "`userId` or `anonymousId`",
    remedy: "Send `userId` or `anonymousId`.",
  }),
  wrongForm: faultText("invalid", "{field} must be {form}", {
    seen: "Pipelines in strict mode",
    expected: "the type that the message names",
    remedy: "Send a value of the type that the message names.",
  }),
  unknownType: faultText(
    "unknown_type",
    "unknown type {type}: expected identify, track, page, screen, group or alias",
    {
      seen: "Pipelines `/batch`",
      expected: "one of the six call types",
      remedy: "Correct `type`.",
    },
  ),
  unknownContentAction: faultText("invalid", "actionType must be viewed_content or clicked_content", {
    seen: "Pipelines `Report Content Event`",
    expected: "`viewed_content` or `clicked_content`",
    remedy: "Correct `properties.actionType`.",
  }),
  unknownKey: faultText("unauthorized", "unknown write key", {
    seen: "activity entries (`rejected`)",
    expected: "a known write key",
    remedy: "Create a key, or correct the key that the client sends.",
  }),
  stopped: faultText("invalid", "not applied because another call of the batch is invalid", {
    seen: "activity entries (`rejected`), in strict mode",
    expected: "a batch without invalid calls",
    remedy: "Correct the call that the response names, then send the whole batch again.",
  }),
}
