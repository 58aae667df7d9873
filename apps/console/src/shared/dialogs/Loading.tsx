/** The placeholder of a detail panel or a page that waits for its data. */
export const Loading = () => (
  <div aria-label="Loading" className="space-y-3 p-4" role="status">
    <div className="h-5 w-40 rounded-sm bg-hover" />
    <div className="h-5 w-full rounded-sm bg-hover" />
    <div className="h-5 w-2/3 rounded-sm bg-hover" />
  </div>
)
