export interface Verdict {
  states: number;
  complete: boolean;
  /** Shortest trace to each broken property, by its name. */
  bad: Record<string, { text: string; trace: string[] }>;
}

/** Searches every state that `options` (`defaults` in model.mjs) allow. */
export function check(options: Record<string, unknown>, search?: { noGivingUp?: boolean; limit?: number }): Verdict;
