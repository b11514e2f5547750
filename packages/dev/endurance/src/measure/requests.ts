import { spreadOf, type Spread } from '@sotto/load-kit/report';
import type { Answer } from '@sotto/process-kit';
import { z } from 'zod';

const ErrorBody = z.object({ code: z.string() });

/** Outcomes and durations of all requests of one kind. */
export interface RequestSummary {
  /**
   * Number of responses by status and error code. `no answer` counts requests whose connection
   * broke.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Durations of requests in ms, by outcome. */
  readonly durationsMs: Readonly<Record<string, Spread>>;
}

/** Collects outcomes and durations of requests. */
export class Requests {
  readonly #durations = new Map<string, number[]>();

  /** Makes one request and records its outcome. Returns null if no response arrived. */
  async note(query: () => Promise<Answer>): Promise<Answer | null> {
    const startMs = performance.now();
    const answer = await query().catch(() => null);
    this.#add(outcomeOf(answer), performance.now() - startMs);
    return answer;
  }

  summary(): RequestSummary {
    const sorted = [...this.#durations].toSorted(([one], [other]) => one.localeCompare(other));
    return {
      outcomes: Object.fromEntries(
        sorted.map(([outcome, durations]) => [outcome, durations.length]),
      ),
      durationsMs: Object.fromEntries(
        sorted.map(([outcome, durations]) => [outcome, spreadOf(durations)]),
      ),
    };
  }

  #add(outcome: string, durationMs: number): void {
    const durations = this.#durations.get(outcome) ?? [];
    this.#durations.set(outcome, durations);
    durations.push(durationMs);
  }
}

function outcomeOf(answer: Answer | null): string {
  if (answer === null) return 'no answer';
  const error = ErrorBody.safeParse(answer.body);
  if (error.success && answer.status >= 400) return `${answer.status} ${error.data.code}`;
  const execution = z.object({ execution_status: z.string() }).safeParse(answer.body);
  return execution.success
    ? `${answer.status} ${execution.data.execution_status}`
    : String(answer.status);
}
