import { Outlet } from "@tanstack/react-router"

/** The frame around every page. */
export const Frame = () => (
  <main className="p-4">
    <h1 className="text-base font-semibold">Inlet</h1>
    <Outlet />
  </main>
)
