import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { personName } from "../../shared/values/personName.ts"
import { Time } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { newestMerges } from "./newestMerges.ts"
import { UndoMerge } from "./UndoMerge.tsx"

/** The number of merges that are loaded at a time. */
const pageItems = 20

interface PersonMergesProps {
  readonly w: string
  readonly personId: string
}

/** Who was merged into a person, as far as it can be undone. */
export const PersonMerges = ({ personId, w }: PersonMergesProps) => {
  const pages = usePages([w, "people", "one", personId, "merges"], (after, signal) =>
    api.merges.list(w, personId, { after, limit: pageItems }, signal),
  )
  if (pages.items.length === 0) return null
  return (
    <Section title="Merged people">
      <ul className="-mx-4">
        {newestMerges(pages.items).map(({ at, operation_id, secondary }) => (
          <li
            className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-1 text-sm"
            key={operation_id}
          >
            <span className="min-w-0 flex-1 truncate">{personName(secondary)}</span>
            <Link
              className="text-xs text-accent hover:underline"
              params={{ w, operationId: operation_id }}
              to="/w/$w/operations/$operationId"
            >
              <Time at={at} />
            </Link>
            <UndoMerge primaryId={personId} secondary={secondary} w={w} />
          </li>
        ))}
      </ul>
      {pages.hasMore ? (
        <Button className="mt-2" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show more merges
        </Button>
      ) : null}
    </Section>
  )
}
