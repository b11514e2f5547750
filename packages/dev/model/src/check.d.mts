export interface Verdict {
  states: number;
  edges: number;
  depth: number;
  complete: boolean;
  /** Shortest trace to each broken property, by the property's name. */
  bad: Record<string, { text: string; trace: string[] }>;
}

/** Searches every state that `options` (`defaults` in state.mjs) allow. */
export function check(options: Record<string, unknown>, search?: Record<string, unknown>): Verdict;
