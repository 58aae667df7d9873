import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { collectionKeys } from "../../api/collectionKeys.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { filterValue } from "../../shared/values/filterValue.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { OperationsSection } from "../../shared/lists/OperationsSection.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { MappingEditor } from "./MappingEditor.tsx"

/** The number of submissions that are loaded at a time. */
const pageItems = 20

/**
 * Returns true if the log entry of a submission contains the submitted fields. The entry of a submission without effect
 * does not contain them.
 */
const hasFields = ({ outcome }: ActivityDocument): boolean => outcome !== "rejected" && outcome !== "ignored"

/** One form: the attribute that each field sets, the values of the last submission, and all submissions. */
export const FormPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { formId } = useParams({ from: "/w/$w/forms/$formId" })
  const search = useSearch({ from: "/w/$w/forms" })
  const form = useQuery({
    queryKey: collectionKeys("forms").one(w, formId),
    queryFn: ({ signal }) => api.forms.get(w, formId, signal),
    // While the operator edits, the form must not change by itself.
    refetchOnWindowFocus: false,
  })
  const filter = `kind:form_submission name:${filterValue(formId)}`
  const submissions = usePages([w, "activity", filter], (after, signal) =>
    api.activity.list(w, { filter, after, limit: pageItems }, signal),
  )
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/forms", params: { w }, search })} title={formId}>
      {form.error === null ? null : (
        <ApiProblem
          onRetry={() => void form.refetch()}
          problem={form.error}
          what="The form could not be loaded."
        />
      )}
      {form.isPending ? <Loading /> : null}
      {form.data === undefined ? null : (
        <>
          <Section title="Form">
            <Facts
              facts={[
                ["First submitted", <ExactTime at={form.data.created_at} key="created" />],
                ["Updated", <ExactTime at={form.data.updated_at} key="updated" />],
              ]}
            />
          </Section>
          <MappingEditor
            form={form.data}
            key={form.data.updated_at}
            submission={submissions.items.find(hasFields) ?? null}
            w={w}
          />
          <OperationsSection pages={submissions} title="Submissions" w={w} />
        </>
      )}
    </Detail>
  )
}
