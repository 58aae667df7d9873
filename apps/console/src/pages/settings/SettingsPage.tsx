import { PageTitle } from "../../shared/ListPage.tsx"

export const SettingsPage = () => (
  <>
    <PageTitle title="Settings" />
    <p className="px-4 text-sm text-muted">This page is being built.</p>
  </>
)
