import { PageTitle } from "../../shared/ListPage.tsx"

export const LivePage = () => (
  <>
    <PageTitle title="Live" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
