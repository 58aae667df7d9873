import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { FilterLine } from "../../shared/fields/FilterLine.tsx"
import { ListPage } from "../../shared/lists/ListPage.tsx"
import { lazily } from "../../shared/dialogs/lazily.tsx"
import { PartBoundary } from "../../shared/dialogs/PartBoundary.tsx"
import { isRolling, periodIn, type Period } from "../../shared/time/period.ts"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { ActivityChart } from "./ActivityChart.tsx"
import { LiveList } from "./LiveList.tsx"
import { PeriodList } from "./PeriodList.tsx"

const SendOperationDialog = lazily(
  async () => (await import("../../shared/dialogs/SendOperationDialog.tsx")).SendOperationDialog,
)

/** The operations of the workspace: as they happen, or in a period between two times. */
export const LivePage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const search = useSearch({ from: "/w/$w/live" })
  const { operationId } = useParams({ strict: false })
  const { filter } = search
  const period = periodIn(search)

  const onOpen = (id: string) =>
    void navigate({ to: "/w/$w/live/$operationId", params: { w, operationId: id }, search })
  const onFilter = (typed: string) => {
    const { filter: _, ...rest } = search
    void navigate({ to: ".", search: typed === "" ? rest : { ...rest, filter: typed } })
  }
  const onPeriod = (chosen: Period | undefined) => {
    const kept = filter === undefined ? {} : { filter }
    void navigate({ to: ".", search: chosen === undefined ? kept : { ...kept, ...chosen } })
  }
  const [listed, setListed] = useState<ReadonlyArray<ActivityDocument>>([])
  const list = { w, filter, openKey: operationId, onOpen }
  return (
    <ListPage
      controls={
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,136px)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,216px)]">
          <FilterLine filter={filter ?? ""} onFilter={onFilter} />
          <PeriodChooser onPeriod={onPeriod} period={period} />
        </div>
      }
      actions={<SendTestEvent w={w} />}
      isDetailOpen={operationId !== undefined}
      title="Live"
    >
      <ActivityChart filter={filter} listed={listed} onPeriod={onPeriod} period={period} w={w} />
      {period === undefined || isRolling(period) ? (
        <LiveList key={`${w} ${filter} ${period?.last}`} {...list} last={period?.last} onListed={setListed} />
      ) : (
        <PeriodList
          key={`${w} ${filter} ${period.from}`}
          {...list}
          onEnd={() => onPeriod(undefined)}
          period={period}
        />
      )}
    </ListPage>
  )
}

const testEvent = {
  type: "person",
  action: "event",
  identifiers: { id: "test" },
  name: "test_event",
  attributes: {},
}

/** Opens an editor with an event, which can be sent without a client and a key. */
const SendTestEvent = ({ w }: { readonly w: string }) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} refusal={refusal}>
        Send a test event
      </Button>
      {isOpen ? (
        <PartBoundary onFailure={close}>
          <SendOperationDialog onClose={close} operation={testEvent} title="Send a test event" w={w} />
        </PartBoundary>
      ) : null}
    </>
  )
}
