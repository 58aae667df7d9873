import { PageTitle } from "../../shared/ListPage.tsx"

export const ImportsPage = () => (
  <>
    <PageTitle title="Imports" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
