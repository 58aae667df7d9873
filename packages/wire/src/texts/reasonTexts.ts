import type { CodedText } from "@inlethq/core/log/ErrorText"
import { decisionTexts, dropTexts, ignoreTexts, listTexts, noteTexts } from "@inlethq/core/log/operationTexts"
import { planTexts } from "@inlethq/core/plan/planTexts"
import { bodyTexts } from "./bodyTexts.ts"
import { rowTexts } from "./csvTexts.ts"
import { pathTexts } from "./pathTexts.ts"
import { pipelinesTexts } from "./pipelinesTexts.ts"
import {
  attributeTexts,
  eventTexts,
  identifierTexts,
  requestTexts,
  resourceTexts,
  valueTexts,
} from "./wireTexts.ts"

/** The texts that the reasons of activity entries and the answers to refused calls can refer to, by their codes. */
export const reasonTexts: ReadonlyMap<string, CodedText> = new Map(
  [
    dropTexts,
    ignoreTexts,
    noteTexts,
    decisionTexts,
    listTexts,
    requestTexts,
    bodyTexts,
    pathTexts,
    valueTexts,
    identifierTexts,
    attributeTexts,
    eventTexts,
    resourceTexts,
    pipelinesTexts,
    rowTexts,
    planTexts,
  ].flatMap((texts): ReadonlyArray<readonly [string, CodedText]> =>
    Object.values(texts).map((text) => [text.code, text]),
  ),
)
