/** Configuration of a task. */
export interface TaskSettings {
  /** True if the task runs. The default in production is false: the task then checks nothing. */
  readonly isOn: boolean;
  /** Subjects to check: all subjects that the task finds, or only the subjects with these names. */
  readonly subjects: 'all' | readonly string[];
  /**
   * Maximum cost of submissions of the task's kinds within an hour, in fri, including manual
   * submissions. A call of 100 M L2 gas costs 0.8 STRK at 8 gfri. Suggested value: 10 STRK.
   */
  readonly hourlyBudgetFri: bigint;
  /**
   * Maximum cost of submissions of the task's kinds within 24 hours, in fri. Suggested value: 100
   * STRK.
   */
  readonly dailyBudgetFri: bigint;
}

/** Returns true if the settings allow the task to check this subject. */
export function isChosen({ subjects }: TaskSettings, subject: string): boolean {
  return subjects === 'all' || subjects.includes(subject);
}
