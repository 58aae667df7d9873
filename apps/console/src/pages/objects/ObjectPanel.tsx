import type { ObjectThenDocument } from "@inlethq/contract/objects/Objects"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { DeleteButton } from "../../shared/dialogs/DeleteButton.tsx"
import { applyOperation } from "../../shared/dialogs/applyOperation.ts"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { filterValue } from "../../shared/values/filterValue.ts"
import { count } from "../../shared/values/figures.ts"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { OperationsSection } from "../../shared/lists/OperationsSection.tsx"
import { PeopleRows } from "../../shared/lists/PeopleRows.tsx"
import { reloadAfterDelete } from "../../shared/dialogs/reloadAfterDelete.ts"
import { ExactTime } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"

/** The number of people and operations that are loaded at a time. */
const pageItems = 20

/** One object with its attributes, its people and its activity. */
export const ObjectPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { objectId, objectTypeId } = useParams({ from: "/w/$w/objects/$objectTypeId/$objectId" })
  const { position, ...search } = useSearch({ from: "/w/$w/objects" })
  const close = (): void => void navigate({ to: "/w/$w/objects", params: { w }, search })
  const moment = position === undefined ? {} : { position }
  const object = useQuery({
    queryKey: [w, "objects", "one", objectTypeId, objectId, ...Object.values(moment)],
    queryFn: ({ signal }) => api.objects.get(w, objectTypeId, objectId, moment, signal),
    retry: false,
  })
  return (
    <Detail
      actions={
        position !== undefined ? (
          <Button onClick={() => void navigate({ to: ".", search, replace: true })}>Now</Button>
        ) : object.data === undefined ? null : (
          <DeleteObject object={object.data} onGone={close} w={w} />
        )
      }
      onClose={close}
      title={objectId}
    >
      {object.error === null ? null : (
        <ApiProblem
          onRetry={() => void object.refetch()}
          problem={object.error}
          what="The object could not be loaded."
        />
      )}
      {object.isPending ? <Loading /> : null}
      {object.data === undefined ? null : <ObjectView moment={moment} object={object.data} w={w} />}
    </Detail>
  )
}

interface ObjectViewProps {
  readonly w: string
  readonly object: ObjectThenDocument
}

/** The moment of which the object is shown, which is empty for now. */
interface MomentProps {
  readonly moment: { readonly position?: string }
}

const ObjectView = ({ moment, object, w }: MomentProps & ObjectViewProps) => (
  <>
    {moment.position === undefined ? null : (
      <p className="text-sm">
        The object as it was after the operation at position {moment.position} of the log. It may have changed
        or been deleted since.
      </p>
    )}
    <Section title="Object">
      <Facts
        facts={[
          ["Id", <CopyId id={object.object_id} key="id" label="object id" />],
          ["Type", <CopyId id={object.object_type_id} key="type" label="object type id" />],
          ["svc_object_id", <CopyId id={object.svc_object_id} key="svc" label="svc_object_id" />],
          ["People", object.people_total === null ? "not known" : count(object.people_total)],
          ["Created", <ExactTime at={object.created_at} key="created" />],
          ["Updated", <ExactTime at={object.updated_at} key="updated" />],
        ]}
      />
    </Section>
    <Section title="Attributes">
      <JsonView label="Attributes of the object" value={object.attributes} />
    </Section>
    <ObjectPeople moment={moment} object={object} w={w} />
    {moment.position === undefined ? <ObjectActivity object={object} w={w} /> : null}
  </>
)

const ObjectPeople = ({ moment, object, w }: MomentProps & ObjectViewProps) => {
  const { object_id: objectId, object_type_id: typeId } = object
  const key = [w, "objects", "one", typeId, objectId, "people", ...Object.values(moment)]
  const pages = usePages(key, (after, signal) =>
    api.objects.people(w, typeId, objectId, { ...moment, after, limit: pageItems }, signal),
  )
  return (
    <Section title="People">
      <PeopleRows empty="No person is related to this object." pages={pages} w={w} />
    </Section>
  )
}

const ObjectActivity = ({ object, w }: ObjectViewProps) => {
  const filter = `object:${filterValue(`${object.object_type_id}/${object.object_id}`)}`
  const pages = usePages([w, "activity", filter], (after, signal) =>
    api.activity.list(w, { filter, after, limit: pageItems }, signal),
  )
  return <OperationsSection pages={pages} w={w} />
}

interface DeleteObjectProps extends ObjectViewProps {
  readonly onGone: () => void
}

const DeleteObject = ({ object, onGone, w }: DeleteObjectProps) => {
  const queries = useQueryClient()
  const refusal = useRefusal("activity.apply")
  const { object_id, object_type_id } = object
  return (
    <DeleteButton
      kind="object"
      name={object_id}
      onDelete={async () => {
        await applyOperation(
          w,
          { type: "object", action: "delete", identifiers: { object_type_id, object_id } },
          `Object ${object_id} was deleted.`,
        )
        onGone()
        await reloadAfterDelete(queries, [w, "objects"], [w, "objects", "one", object_type_id, object_id])
      }}
      refusal={refusal}
    >
      The object, its attributes and its relationships are deleted. This cannot be undone. The people stay. A
      later call that names the same id creates a new object.
    </DeleteButton>
  )
}
