import { PageTitle } from "../../shared/ListPage.tsx"

export const OperationPage = () => (
  <>
    <PageTitle title="Operation" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
