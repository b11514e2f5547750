import { z } from 'zod';

const Entry = z.looseObject({ level: z.string(), message: z.string() });

/** Counts warnings and errors of a service's log, by message. */
export class LogCounts {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a log line if it is a warning or an error. @returns the parsed line; undefined if it is
   * not JSON
   */
  read(line: string): unknown {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return undefined;
    }
    const entry = Entry.safeParse(value);
    if (entry.success && ['warn', 'error', 'fatal'].includes(entry.data.level)) {
      const text = `${entry.data.level}: ${entry.data.message}`;
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
    return value;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#counts].toSorted(([left], [right]) => left.localeCompare(right)),
    );
  }
}
