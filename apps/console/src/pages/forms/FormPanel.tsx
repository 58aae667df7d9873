import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/api.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Detail, Facts, Section } from "../../shared/Detail.tsx"
import { ExactTime } from "../../shared/Time.tsx"
import { MappingEditor } from "./MappingEditor.tsx"
import { lastSubmission } from "./lastSubmission.ts"

/** One form: the attribute that each field sets, and the last submission. */
export const FormPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { formId } = useParams({ from: "/w/$w/forms/$formId" })
  const form = useQuery({
    queryKey: [w, "forms", formId],
    queryFn: ({ signal }) => api.forms.get(w, formId, signal),
    // While the operator edits, the form must not change by itself.
    refetchOnWindowFocus: false,
  })
  const submission = useQuery({
    queryKey: [w, "forms", formId, "last submission", form.data?.fields],
    queryFn: ({ signal }) => (form.data === undefined ? null : lastSubmission(w, form.data, signal)),
    enabled: form.data !== undefined,
  })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/forms", params: { w } })} title={formId}>
      {form.error === null ? null : (
        <ApiProblem
          onRetry={() => void form.refetch()}
          problem={form.error}
          what="The form could not be loaded."
        />
      )}
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
            submission={submission.data ?? null}
            w={w}
          />
        </>
      )}
    </Detail>
  )
}
