import { Component, Suspense, type ReactNode } from "react"
import { notifyFailure } from "./notices.ts"

interface PartBoundaryProps {
  /** Called if the children cannot be shown. */
  readonly onFailure: () => void
  readonly children: ReactNode
}

/** Shows children whose script may have to be loaded, or says in a notice that it could not be loaded. */
export class PartBoundary extends Component<PartBoundaryProps> {
  override readonly state: { readonly hasFailed: boolean } = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(problem: Error): void {
    notifyFailure("This part of the console could not be loaded. Reload the page.", problem)
    this.setState({ hasFailed: false })
    this.props.onFailure()
  }

  override render() {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>
  }
}
