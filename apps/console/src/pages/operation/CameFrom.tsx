import { cameFrom } from "@inlethq/log/explanation/cameFrom"
import type { ActivityDocument } from "../../api/documents.ts"
import { Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"

/** Shows where the call of an operation came from, if it said so. */
export const CameFrom = ({ entry }: { readonly entry: ActivityDocument }) => {
  const facts = cameFrom(entry)
  if (facts.length === 0 && entry.context === undefined) return null
  return (
    <Section title="Where it came from">
      <Facts facts={facts} />
      {entry.context === undefined ? null : (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-muted">The whole context</summary>
          <JsonView label="Context that was sent" value={entry.context} />
        </details>
      )}
    </Section>
  )
}
