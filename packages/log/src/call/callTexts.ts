import { catalogue, errorText, fillTemplate } from "@inlethq/core/log/ErrorText"
import type { Reason } from "@inlethq/core/log/Reason"

/** Why the log cannot say which call an operation was. */
export const callTexts = catalogue("call_", {
  erasing: errorText(
    "the call deleted or suppressed somebody, and the log does not keep whom it named",
    "Nothing to do: the identifier is gone, as the call asked.",
  ),
  erased: errorText(
    "whoever the call was about was deleted or suppressed since",
    "Nothing to do: the log keeps nothing of people who were erased.",
  ),
  noEffect: errorText(
    "the call had no effect, and the log keeps nothing that it sent",
    "Look for the call in the sender's own log.",
  ),
  server: errorText("no call asked for this: the server did it by itself", "Nothing to do."),
  settings: errorText(
    "the log does not keep all that was sent to change this",
    "Read what is stored now, and change it again if necessary.",
  ),
  unnamed: errorText(
    "nothing names whom the call was about any more",
    "Look for the call in the sender's own log.",
  ),
  several: errorText(
    "the operation named people and visitors together, which one call to the API cannot",
    "Send one call about the people and another one about the visitors.",
  ),
  notRepeatable: errorText(
    "deciding the operation again gives something else than the log says",
    "The log does not say enough of it, or the settings were others then.",
  ),
  notKept: errorText(
    "the log does not keep what the rejected call sent, or no longer",
    "Look for the call in the sender's own log. `rejected_days` of the workspace says how long rejected calls are kept.",
  ),
  unreadable: errorText(
    "the body was no JSON object, so it cannot be written again",
    "`data` of the operation has the beginning of the body, and `reason` says what is wrong with it.",
  ),
})

const templates: ReadonlyMap<string, string> = new Map(
  Object.values(callTexts).map(({ code, template }) => [code, template]),
)

/** Says why the log cannot say which call an operation was. */
export const callSentence = ({ code, values }: Reason): string =>
  fillTemplate(templates.get(code) ?? code, values)
