/** What the configuration says of a task. */
export interface TaskSettings {
  /** False by default in production: a task that is off looks at nothing. */
  readonly isOn: boolean;
  /** What it looks at: all that it finds, or only the subjects of these names. */
  readonly subjects: 'all' | readonly string[];
  /**
   * The most that submissions of its kinds may cost within an hour, in fri, those included that
   * callers ask for by hand. At 8 gfri a call of 100 M L2 gas costs 0.8 STRK: 10 STRK serve.
   */
  readonly hourlyBudgetFri: bigint;
  /** The same within 24 hours; 100 STRK serve. */
  readonly dailyBudgetFri: bigint;
}

/** Whether the task may look at a subject. */
export function isChosen({ subjects }: TaskSettings, subject: string): boolean {
  return subjects === 'all' || subjects.includes(subject);
}
