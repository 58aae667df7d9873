import { PageTitle } from "../../shared/ListPage.tsx"

export const StartPage = () => (
  <>
    <PageTitle title="Start" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
