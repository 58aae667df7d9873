import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { chosenColumns } from "../../shared/lists/ColumnMenu.tsx"
import { ListPage } from "../../shared/lists/ListPage.tsx"
import { lazily } from "../../shared/dialogs/lazily.tsx"
import { PartBoundary } from "../../shared/dialogs/PartBoundary.tsx"
import { activityLanguage } from "../../shared/query/activityLanguage.ts"
import { QueryLine } from "../../shared/query/QueryLine.tsx"
import { withTerm, type NewTerm } from "../../shared/query/queryTerms.ts"
import { ListTools } from "../views/ListTools.tsx"
import { isRolling, periodIn, type Period } from "../../shared/time/period.ts"
import { PeriodChooser } from "../../shared/time/PeriodChooser.tsx"
import { columns } from "./columns.tsx"
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
  const show = (changed: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: ".", search: { ...search, ...changed } })
  const onFilter = (typed: string) => show({ filter: typed })
  const onPeriod = (chosen: Period | undefined) =>
    show({ from: undefined, to: undefined, last: undefined, ...chosen })
  const language = useActivityLanguage(w)
  const shown = useMemo(() => chosenColumns(columns, search.columns), [search.columns])
  const [listed, setListed] = useState<ReadonlyArray<ActivityDocument>>([])
  const onTerm = (term: NewTerm) => onFilter(withTerm(filter ?? "", term))
  // A filter that was typed means what it says.
  const hidesSystem = filter === undefined && search.system !== "show"
  const list = { w, filter, columns: shown, hidesSystem, openKey: operationId, onOpen, onTerm }
  return (
    <ListPage
      controls={
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,136px)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,216px)]">
          <QueryLine
            language={language}
            onQuery={onFilter}
            placeholder="Filter, such as kind:event -outcome:applied"
            query={filter ?? ""}
          />
          <PeriodChooser onPeriod={onPeriod} period={period} />
        </div>
      }
      actions={
        <>
          <ListTools
            columns={columns}
            onSearch={(query) => void navigate({ to: ".", search: query })}
            page="live"
            search={search}
            w={w}
          />
          {filter === undefined ? (
            <SystemSwitch isOn={!hidesSystem} onSwitch={(system) => show({ system })} />
          ) : null}
          <SendTestEvent w={w} />
        </>
      }
      isDetailOpen={operationId !== undefined}
      title="Live"
    >
      <ActivityChart filter={filter} listed={listed} onPeriod={onPeriod} period={period} w={w} />
      {period === undefined || isRolling(period) ? (
        <LiveList
          key={`${w} ${filter} ${period?.last} ${hidesSystem}`}
          {...list}
          last={period?.last}
          onListed={setListed}
        />
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

const useActivityLanguage = (w: string) => {
  const queries = useQueryClient()
  return useMemo(() => activityLanguage(queries, w), [queries, w])
}

interface SystemSwitchProps {
  readonly isOn: boolean
  /** Called with the query parameter that shows operations of Inlet itself. */
  readonly onSwitch: (system: "show" | undefined) => void
}

const SystemSwitch = ({ isOn, onSwitch }: SystemSwitchProps) => (
  <Button
    aria-pressed={isOn}
    className="aria-pressed:bg-selected"
    onClick={() => onSwitch(isOn ? undefined : "show")}
    title="Operations that Inlet makes itself, such as those of rules"
  >
    System
  </Button>
)

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
