import { planFacts } from "@inlethq/log/explanation/planFacts"
import type { ActivityDocument } from "../../api/documents.ts"

/** What operations do not fit at one path, by one clause of a plan. */
interface Misfit {
  readonly key: string
  readonly path: string
  /** What is wrong in the newest of them. */
  readonly text: string
  readonly number: number
  readonly example: ActivityDocument
}

/** Counts violations by path and clause, most frequent first. Places in lists are not told apart. */
export const misfitsIn = (entries: ReadonlyArray<ActivityDocument>): ReadonlyArray<Misfit> => {
  const all = entries.flatMap((example) =>
    (planFacts(example)?.violations ?? []).map(({ path, text }, i) => ({
      path: path.replaceAll(/\.\d+(?=\.|$)/g, "[]"),
      clause: example.plan?.violations[i]?.clause,
      text,
      example,
    })),
  )
  const groups = Map.groupBy(all, ({ clause, path }) => `${clause} ${path}`)
  return Array.from(groups, ([key, [newest, ...others]]) =>
    newest === undefined
      ? []
      : [
          {
            key,
            path: newest.path,
            text: newest.text,
            number: others.length + 1,
            example: newest.example,
          },
        ],
  )
    .flat()
    .toSorted((a, b) => b.number - a.number)
}
