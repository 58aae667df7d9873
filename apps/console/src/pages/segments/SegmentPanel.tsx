import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { DeleteButton } from "../../shared/dialogs/DeleteButton.tsx"
import { count } from "../../shared/values/figures.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { PeopleRows } from "../../shared/lists/PeopleRows.tsx"
import { personName } from "../../shared/values/personName.ts"
import { reloadAfterDelete } from "../../shared/dialogs/reloadAfterDelete.ts"
import { usePages } from "../../shared/lists/usePages.ts"
import { AddPersonDialog } from "./AddPersonDialog.tsx"
import { LastDays } from "./LastDays.tsx"
import { refreshOf } from "./refreshOf.ts"
import { RuleFacts } from "./RuleFacts.tsx"
import { segmentKeys, segmentQuery } from "./segmentQueries.ts"
import { WhyAnybody } from "./WhyAnybody.tsx"

/** The number of people that are loaded at a time. */
const pageItems = 50

/** One segment and its people. */
export const SegmentPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { segmentId } = useParams({ from: "/w/$w/segments/$segmentId" })
  const search = useSearch({ from: "/w/$w/segments" })
  const close = (): void => void navigate({ to: "/w/$w/segments", params: { w }, search })
  const segment = useQuery({
    ...segmentQuery(w, segmentId),
    refetchInterval: ({ state }) => refreshOf(state.data === undefined ? [] : [state.data]),
  })
  return (
    <Detail
      actions={
        segment.data === undefined ? null : (
          <>
            <EditSegment segment={segment.data} w={w} />
            {segment.data.kind === "rule" ? <PauseSegment segment={segment.data} w={w} /> : null}
            <DeleteSegment onGone={close} segment={segment.data} w={w} />
          </>
        )
      }
      onClose={close}
      title={segment.data?.name ?? `Segment ${segmentId}`}
    >
      {segment.error === null ? null : (
        <ApiProblem
          onRetry={() => void segment.refetch()}
          problem={segment.error}
          what="The segment could not be loaded."
        />
      )}
      {segment.isPending ? <Loading /> : null}
      {segment.data === undefined ? null : (
        <>
          <Section title="Segment">
            <Facts
              facts={[
                ["Id", <CopyId id={segmentId} key="id" label="segment id" />],
                ["Description", segment.data.description],
                ["Kind", segment.data.kind === "rule" ? "by rule" : "by hand"],
                ["State", segment.data.state],
                [
                  "Next version",
                  segment.data.next === null ? null : (
                    <Build
                      key="next"
                      progress={segment.data.progress ?? 0}
                      version={segment.data.next.version}
                    />
                  ),
                ],
                ["People", count(segment.data.size)],
              ]}
            />
          </Section>
          {segment.data.kind === "rule" ? (
            <>
              <RuleFacts segment={segment.data} w={w} />
              <WhyAnybody segmentId={segmentId} w={w} />
            </>
          ) : (
            <LastDays segment={segment.data} w={w} />
          )}
          <Members segment={segment.data} w={w} />
        </>
      )}
    </Detail>
  )
}

interface BuildProps {
  readonly version: number
  readonly progress: number
}

/** How much of a new rule is built. */
const Build = ({ progress, version }: BuildProps) => (
  <span className="flex items-center gap-2">
    <progress
      aria-label={`Building version ${version}`}
      className="h-2 w-32 accent-(--accent)"
      max={1}
      value={progress}
    />
    <span className="text-muted">
      {Math.floor(progress * 100)} % of version {version} is built
    </span>
  </span>
)

interface MembersProps {
  readonly w: string
  readonly segment: SegmentDocument
}

const Members = ({ segment: { kind, segment_id, state, version }, w }: MembersProps) => {
  const isManual = kind === "manual"
  const segmentId = String(segment_id)
  const queries = useQueryClient()
  const [isAdding, setIsAdding] = useState(false)
  const addRefusal = useRefusal("segments.addPerson")
  const removeRefusal = useRefusal("segments.removePerson")
  const pages = usePages(segmentKeys.one(w, segmentId, "people", version, state), (after, signal) =>
    api.segments.people(w, segmentId, { after, limit: pageItems }, signal),
  )
  const remove = useMutation({
    mutationFn: (personId: string) => api.segments.removePerson(w, segmentId, personId),
    onSettled: () => queries.invalidateQueries({ queryKey: segmentKeys.all(w) }),
  })
  return (
    <Section
      actions={
        isManual ? (
          <Button icon="created" onClick={() => setIsAdding(true)} refusal={addRefusal}>
            Add person
          </Button>
        ) : null
      }
      title="People"
    >
      <ActionError error={remove.error} />
      <PeopleRows
        actions={(person) =>
          isManual ? (
            <IconButton
              disabled={remove.isPending}
              icon="close"
              label={`Remove ${personName(person)} from the segment`}
              onClick={() => remove.mutate(person.svc_id)}
              refusal={removeRefusal}
            />
          ) : null
        }
        empty={
          state === "building" && version === null
            ? "The rule is being built. Its people appear once it is in force."
            : "The segment has no people."
        }
        pages={pages}
        w={w}
      />
      {isAdding ? <AddPersonDialog onClose={() => setIsAdding(false)} segmentId={segmentId} w={w} /> : null}
    </Section>
  )
}

interface SegmentActionProps {
  readonly w: string
  readonly segment: SegmentDocument
}

const EditSegment = ({ segment: { segment_id }, w }: SegmentActionProps) => {
  const navigate = useNavigate()
  const refusal = useRefusal("segments.update")
  const params = { w, segmentId: String(segment_id) }
  return (
    <Button onClick={() => void navigate({ to: "/w/$w/segments/$segmentId/edit", params })} refusal={refusal}>
      Edit
    </Button>
  )
}

const PauseSegment = ({ segment: { segment_id, state }, w }: SegmentActionProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("segments.update")
  const pause = useMutation({
    mutationFn: (paused: boolean) => api.segments.update(w, String(segment_id), { paused }),
    onSettled: () => queries.invalidateQueries({ queryKey: segmentKeys.all(w) }),
  })
  return (
    <>
      <ActionError error={pause.error} />
      <Button
        disabled={pause.isPending || state === "building"}
        icon={state === "paused" ? "start" : "pause"}
        onClick={() => pause.mutate(state !== "paused")}
        refusal={refusal}
      >
        {state === "paused" ? "Resume" : "Pause"}
      </Button>
    </>
  )
}

interface DeleteSegmentProps extends SegmentActionProps {
  readonly onGone: () => void
}

const DeleteSegment = ({ onGone, segment, w }: DeleteSegmentProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("segments.delete")
  return (
    <DeleteButton
      kind="segment"
      name={segment.name}
      onDelete={async () => {
        const segmentId = String(segment.segment_id)
        await api.segments.delete(w, segmentId)
        onGone()
        await reloadAfterDelete(queries, segmentKeys.all(w), segmentKeys.one(w, segmentId))
      }}
      refusal={refusal}
    >
      The list of people in the segment is deleted, and this cannot be undone. The people themselves stay.
      Calls that add people to the segment have no effect afterwards.
    </DeleteButton>
  )
}
