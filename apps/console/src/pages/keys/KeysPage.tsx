import { PageTitle } from "../../shared/ListPage.tsx"

export const KeysPage = () => (
  <>
    <PageTitle title="Keys" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
