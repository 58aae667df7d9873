import { cameFrom } from "@inlethq/log/explanation/cameFrom"
import { planFacts } from "@inlethq/log/explanation/planFacts"
import type { ActivityDocument, OperationDocument } from "@inlethq/contract/activity/ActivityLog"
import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { drawFields, type Field } from "./fields.ts"
import { drawOperation } from "./entryLine.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { onOneLine, printable, valueText } from "./text.ts"
import { fullTime } from "./times.ts"
import { wrap } from "./wrap.ts"

/** The largest number of changes that an explanation shows. */
const changesShownMax = 50

/** The largest and the smallest width of texts, because longer lines and single words are hard to read. */
const textColumnsMax = 100
const textColumnsMin = 30

/**
 * Draws the explanation of an operation: its log entry, what was decided, the changes, the rule, what to do, and the call that
 * makes it again. In a pipe, texts are not wrapped.
 */
export const drawExplanation = (screen: Screen, entry: OperationDocument): ReadonlyArray<string> => {
  const { advice, merge, overridden_by, owners, rule, summary } = entry.explanation
  const width = screen.isTerminal
    ? Math.min(Math.max(textColumnsMin, screen.columns - 2), textColumnsMax)
    : Infinity
  const { plan: _, ...bare } = entry
  const plan = planFacts(entry)
  const paragraph = (text: string) => wrap(printable(text), width).map((line) => `  ${line}`)
  return [
    drawOperation(screen, { ...bare, reason: null }),
    paint(screen, "dim", `received ${fullTime(screen.times, entry.received_at)}`),
    ...senderOf(entry).map((line) => paint(screen, "dim", line)),
    "",
    ...wrap(printable(summary), width + 2).map((line) => paint(screen, "bold", line)),
    ...section(
      screen,
      "WHERE IT CAME FROM",
      drawFields(
        screen,
        cameFrom(entry).map(([label, text]): Field => [label, printable(text)]),
      ),
    ),
    ...section(screen, "LEFT OUT", drawFields(screen, refusedOf(entry, owners))),
    ...(plan === null
      ? []
      : section(
          screen,
          `PLAN: ${printable(plan.title)}`,
          drawFields(
            screen,
            plan.violations.map(({ path, text }): Field => [printable(path), text]),
          ),
        )),
    ...section(screen, "READ OTHERWISE", drawFields(screen, keptOf(entry))),
    ...section(screen, "CHANGES", drawFields(screen, changesOf(entry))),
    ...section(
      screen,
      "OVERRIDDEN BY",
      drawFields(
        screen,
        overridden_by.map(({ operation_id, path }): Field => [path, operation_id]),
      ),
    ),
    ...(rule === null
      ? []
      : section(screen, "RULE", [
          `  ${paint(screen, "cyan", rule.rule)}  ${rule.title}`,
          ...rule.text.split("\n").flatMap((line) => (line === "" ? [""] : paragraph(line))),
        ])),
    ...section(screen, "WHAT TO DO", [
      ...paragraph(advice),
      ...(merge === null
        ? []
        : ["", `  inlet people merge ${merge.primary.svc_id} ${merge.secondary.svc_id}`]),
    ]),
    ...section(screen, "SENT ON", drawFields(screen, entry.forwards.map(sentOn))),
    ...section(screen, "THE CALL", callOf(entry).flatMap(paragraph)),
    ...(entry.answer === null
      ? []
      : section(screen, `THE ANSWER: ${entry.answer.status}`, paragraph(JSON.stringify(entry.answer.body)))),
  ]
}

/** Returns what became of an operation at a forward. */
const sentOn = (forwarded: OperationDocument["forwards"][number]): Field => {
  const { attempts, name, reason, response_excerpt, response_status, state } = forwarded
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ""
  const answer = response_excerpt === null ? null : onOneLine(response_excerpt)
  const said = [state.replace("_", " ") + tries, response_status, reason ?? answer]
  return [printable(name), printable(said.filter((part) => part !== null && part !== "").join(", "))]
}

/** Returns the call of an operation as an HTTP client shows it, or why it cannot be sent again. */
const callOf = ({ call, call_reason }: OperationDocument): ReadonlyArray<string> => {
  if (call === null) return call_reason === null ? [] : [`It cannot be sent again: ${call_reason.reason}.`]
  const { body, method, path } = call
  return [`${method} ${path}`, ...(body === null ? [] : [JSON.stringify(body)])]
}

/** Returns a line that says with which key or token, by which client and to which route the operation was sent. */
const senderOf = ({ sender }: ActivityDocument): ReadonlyArray<string> => {
  if (sender === null) return []
  const parts = [
    ...(sender.key === null ? [] : [`with the key ${JSON.stringify(sender.key.name)}`]),
    ...(sender.token === null ? [] : [`with the token ${JSON.stringify(sender.token.name)}`]),
    ...(sender.user_agent === null ? [] : [`by ${sender.user_agent}`]),
    ...(sender.route === null ? [] : [`to ${sender.route}`]),
  ]
  return parts.length === 0 ? [] : [`sent ${printable(parts.join(" "))}`]
}

const changesOf = ({ changes }: ActivityDocument): ReadonlyArray<Field> => {
  const shown = changes
    .slice(0, changesShownMax)
    .map(({ from, path, to }): Field => [path, `${changeText(from)} → ${changeText(to)}`])
  const rest = changes.length - shown.length
  return rest > 0 ? [...shown, ["…", `and ${rest} more`]] : shown
}

/** Returns each value that was left out, with its reason and the person to whom it belongs. */
const refusedOf = (
  { refused }: ActivityDocument,
  owners: ExplanationDocument["owners"],
): ReadonlyArray<Field> =>
  refused.map(({ cut_from, other, path, reason, value }): Field => {
    const owner = owners.find((one) => one.path === path)?.person
    const name = owner === undefined ? other?.svc_id : (owner.email ?? owner.id ?? owner.svc_id)
    const sent = cut_from === undefined ? changeText(value) : `${changeText(value)}… (${cut_from} bytes)`
    return [path, `${sent}  ${withoutPath(reason, path)}${name === undefined ? "" : ` (${name})`}`]
  })

/** A message may begin with the path that stands before it. */
const withoutPath = (message: string, path: string): string =>
  message.startsWith(`${path} `) ? message.slice(path.length + 1) : message

/** Returns each value that was read differently than it was sent, with what was stored and why. */
const keptOf = ({ kept_as }: ActivityDocument): ReadonlyArray<Field> =>
  kept_as.map(({ cut_from, kept, path, sent, why }): Field => {
    const given = cut_from === undefined ? changeText(sent) : `${changeText(sent)}… (${cut_from} bytes)`
    return [path, `${given} → ${changeText(kept)}  ${why}`]
  })

const changeText = (value: unknown): string => (value === null ? "(none)" : valueText(value))
