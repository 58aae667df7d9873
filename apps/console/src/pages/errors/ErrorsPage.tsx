import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { periodText, type Period } from "../../shared/time/period.ts"
import { useZone } from "../../shared/time/zone.ts"
import { causeId, errorsPeriod, useCauses } from "./causes.ts"
import { causeColumns } from "./columns.tsx"
import { UnknownKeys } from "./UnknownKeys.tsx"

/** The causes why operations of a period were not applied completely, with who sent them. */
export const ErrorsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { causeId: openId } = useParams({ strict: false })
  const search = useSearch({ from: "/w/$w/errors" })
  const period = errorsPeriod(search)
  const pages = useCauses(w, search)
  const only = search.only === undefined ? {} : { only: search.only }
  const onPeriod = (chosen: Period | undefined) =>
    void navigate({ to: ".", search: { ...only, ...chosen }, replace: true })
  const onOnly = (chosen: string) => {
    const { only: _, ...rest } = search
    void navigate({ to: ".", search: chosen === "" ? rest : { ...rest, only: chosen }, replace: true })
  }
  return (
    <CollectionPage
      columns={causeColumns}
      controls={
        <div className="grid grid-cols-2 gap-2 sm:w-[440px]">
          <PeriodChooser choices={periods} isNeeded onPeriod={onPeriod} period={period} />
          <select
            aria-label="Causes"
            className={inputStyle}
            onChange={(event) => onOnly(event.target.value)}
            value={search.only ?? ""}
          >
            <option value="">All causes</option>
            <option value="new">New since yesterday</option>
          </select>
        </div>
      }
      empty={<NoErrors isOnlyNew={search.only === "new"} period={period} />}
      onOpen={(cause) =>
        void navigate({ to: "/w/$w/errors/$causeId", params: { w, causeId: causeId(cause) }, search })
      }
      openKey={openId}
      pages={pages}
      rowKey={causeId}
      title="Errors"
    >
      <UnknownKeys />
    </CollectionPage>
  )
}

const periods = ["1h", "24h", "7d", "30d"] as const

interface NoErrorsProps {
  readonly period: Period
  readonly isOnlyNew: boolean
}

const NoErrors = ({ isOnlyNew, period }: NoErrorsProps) => {
  const zone = useZone()
  return isOnlyNew ? (
    <EmptyState title="Nothing new was refused since yesterday">
      A cause is new for a day after its first operation. All causes of the period are one choice away.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing was refused in this period">
      {periodText(period, zone)}: every operation was applied completely. Operations that are rejected,
      dropped, ignored, or applied in part appear here by cause, with who sent them and what to do.
    </EmptyState>
  )
}
