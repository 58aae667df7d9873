import type { EventTypeShapeDocument } from "@inlethq/contract/types/EventTypes"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { ApiFailure } from "../../api/request.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Detail, Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { byWeight, DriftRows } from "../../shared/lists/DriftRows.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { Badge } from "../../shared/values/Badge.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { counted } from "../../shared/values/figures.ts"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Trend } from "../../shared/values/Trend.tsx"
import { titleOf } from "../../shared/values/typeTitle.ts"
import { trendOfDays } from "../../shared/values/trendOf.ts"
import { isNamed, isNew, namedFilter } from "./eventTypes.ts"
import { Misfits } from "./Misfits.tsx"
import { PlanSection } from "./PlanSection.tsx"
import type { PlanOf } from "./plans.ts"
import { Senders } from "./Senders.tsx"
import { Shape } from "./Shape.tsx"
import { sinceIn, useDrift } from "./WhatChanged.tsx"

/** The milliseconds between two reads of a name. */
const refreshMs = 15_000

/** The panel beside the list of names that shows the shape of one, who sends it, and an example. */
export const EventTypePanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { kind, name } = useParams({ from: "/w/$w/events/$kind/$name" })
  const search = useSearch({ from: "/w/$w/events" })
  const type = useQuery({
    queryKey: [w, "event-types", "one", kind, name],
    queryFn: ({ signal }) => api.types.get(w, kind, name, signal),
    refetchInterval: refreshMs,
  })
  return (
    <Detail
      onClose={() => void navigate({ to: "/w/$w/events", params: { w }, search })}
      title={titleOf({ kind, name })}
    >
      {type.error !== null ? (
        <NotLoaded of={{ kind, name }} onRetry={() => void type.refetch()} problem={type.error} w={w} />
      ) : type.data === undefined ? (
        <Loading />
      ) : (
        <TypeView key={`${kind} ${name}`} type={type.data} w={w} />
      )}
    </Detail>
  )
}

interface NotLoadedProps {
  readonly w: string
  readonly of: PlanOf
  readonly problem: Error
  readonly onRetry: () => void
}

/** A name that was not counted may have a plan, or have been rejected for having none. */
const NotLoaded = ({ of, onRetry, problem, w }: NotLoadedProps) => {
  const { last } = useSearch({ from: "/w/$w/events" })
  if (!(problem instanceof ApiFailure) || problem.status !== 404)
    return <ApiProblem onRetry={onRetry} problem={problem} what={`${titleOf(of)} could not be loaded.`} />
  return (
    <>
      <p className="border-b border-line p-4 text-sm text-muted">
        No operation that took effect was counted under this name.
      </p>
      <Misfits of={of} since={sinceIn(last)} type={null} w={w} />
      <PlanSection of={of} type={null} w={w} />
    </>
  )
}

interface TypeViewProps {
  readonly w: string
  readonly type: EventTypeShapeDocument
}

const TypeView = ({ type, w }: TypeViewProps) => {
  const { last } = useSearch({ from: "/w/$w/events" })
  const drift = useDrift(w, sinceIn(last))
  const changes = (drift.isPlaceholderData ? [] : (drift.data?.items ?? [])).filter(
    ({ kind, name }) => kind === type.kind && name === type.name,
  )
  return (
    <>
      <Summary type={type} w={w} />
      {changes.length === 0 ? null : (
        <Section title="What changed">
          <DriftRows isOfOneName items={byWeight(changes)} w={w} />
        </Section>
      )}
      <Misfits of={type} since={sinceIn(last)} type={type} w={w} />
      <PlanSection of={type} type={type} w={w} />
      <Section title="Shape">
        <Shape type={type} />
      </Section>
      <Section title="Who sends it">
        <Senders senders={type.senders} w={w} />
      </Section>
      <Newest type={type} w={w} />
      <Section title="Types for your code">
        <p className="mb-2 text-sm text-muted">
          Every name that was seen is in the file, for{" "}
          <code className="font-mono text-xs">new Inlet&lt;Events&gt;()</code> of the SDK. With{" "}
          <code className="font-mono text-xs">inlet types check</code>, continuous integration ends with 1
          when one of them changed.
        </p>
        <Code label="Command that writes types" text="inlet types generate > events.ts" />
      </Section>
    </>
  )
}

const Summary = ({ type, w }: TypeViewProps) => {
  const { count, days, first, kind, last, name, silent_since } = type
  return (
    <div className="space-y-3 border-b border-line px-4 py-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        {isNew({ first }) ? <Badge>new</Badge> : null}
        {silent_since === null ? null : <Badge tone="grey">silent</Badge>}
        <span>
          {counted(count, "operation", "operations")}, the first <Time at={first.at} />, the last{" "}
          <Time at={last.at} />
        </span>
      </p>
      <div>
        <Trend bars={trendOfDays(days, trendDays, Date.now())} className="h-10 w-full" />
        <p className="flex justify-between pt-1 text-xs text-faint">
          <span>30 days ago</span>
          <span>today</span>
        </p>
      </div>
      {isNamed(kind) && name !== "*" ? (
        <p className="flex flex-wrap gap-x-4 text-sm">
          <Link
            className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
            params={{ w }}
            search={{ filter: namedFilter({ kind, name }) }}
            to="/w/$w/live"
          >
            Show the operations in Live
          </Link>
          <Link
            className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
            params={{ w }}
            search={{ kind, name }}
            to="/w/$w/segments/new"
          >
            Make a segment of the people
          </Link>
        </p>
      ) : null}
    </div>
  )
}

/** The days of the chart. */
const trendDays = 30

/** The newest operation of a name, as an example. */
const Newest = ({ type, w }: TypeViewProps) => {
  const operationId = type.last.operation_id
  const operation = useQuery({
    queryKey: [w, "operation", operationId],
    queryFn: ({ signal }) => api.activity.operation(w, operationId, signal),
    retry: false,
  })
  return (
    <Section
      actions={
        <Link
          className="text-sm text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
          params={{ w, operationId }}
          to="/w/$w/operations/$operationId"
        >
          Open the operation
        </Link>
      }
      title="The newest"
    >
      {operation.data === undefined ? (
        <p className="text-sm text-muted">
          {operation.isPending ? "Loading…" : "The log does not have it any more."}
        </p>
      ) : (
        <JsonView label="Data of the newest operation" value={operation.data.data} />
      )}
    </Section>
  )
}
