import { PageTitle } from "../../shared/ListPage.tsx"

export const HealthPage = () => (
  <>
    <PageTitle title="Health" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
