/** The instructions for a program that sends calls with the SDK. */
export interface SdkJob {
  readonly url: string
  readonly writeKey: string
  readonly calls: number
  /** True if every second call is an identify. All other calls are events. */
  readonly identifies: boolean
}

export interface SdkResult {
  /** The number of calls that the server has stored, according to their outcomes. */
  readonly stored: number
  readonly callsPerSecond: number
}
