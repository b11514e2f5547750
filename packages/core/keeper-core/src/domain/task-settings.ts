/** Configuration of a task. */
export interface TaskSettings {
  /** False by default in production: a task that is off checks nothing. */
  readonly isOn: boolean;
  /** Subjects to check: all that it finds, or only those with these names. */
  readonly subjects: 'all' | readonly string[];
  /**
   * Maximum cost of submissions of its kinds within an hour, in fri, including manual ones. A call
   * of 100 M L2 gas costs 0.8 STRK at 8 gfri. Suggested value: 10 STRK.
   */
  readonly hourlyBudgetFri: bigint;
  /** Maximum cost within 24 hours, in fri. Suggested value: 100 STRK. */
  readonly dailyBudgetFri: bigint;
}

/** Returns true if the task may check a subject. */
export function isChosen({ subjects }: TaskSettings, subject: string): boolean {
  return subjects === 'all' || subjects.includes(subject);
}
