/** Steps of a transfer in their order of execution. Source: specification, "Bridge status". */
export const STEP_NAMES = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

export type StepName = (typeof STEP_NAMES)[number];
