export interface Verdict {
  states: number;
  edges: number;
  depth: number;
  complete: boolean;
  /** Shortest trace to each broken property, with the property's name as key. */
  bad: Record<string, { text: string; trace: string[] }>;
}

/** Searches every state that is reachable under `options` (`defaults` in state.mjs). */
export function check(options: Record<string, unknown>, search?: Record<string, unknown>): Verdict;
