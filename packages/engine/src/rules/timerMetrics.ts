/** The metrics of people whose rules have to be evaluated because time has passed. */
export const timerMetrics = {
  due: "inlet_rule_timers_due",
  lateSeconds: "inlet_rule_timers_late_seconds",
} as const
