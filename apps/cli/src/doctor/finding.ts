import { PROBLEMS, type Level, type ProblemCode } from './catalogue.js';

/** One line of the doctor's report. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** Code of the problem. Null if the check found no problem. */
  readonly code: ProblemCode | null;
  /**
   * Subject of the finding, such as an account or a variable. Null if the check's name identifies
   * the subject.
   */
  readonly subject: string | null;
  readonly message: string;
  readonly fix: string | null;
  readonly docs: string | null;
}

/** Finding without the name of its check. The caller of the check adds the name. */
export type CheckFinding = Omit<Finding, 'check'>;

const NOTHING = { code: null, subject: null, fix: null, docs: null } as const;

export const fine = (message: string): CheckFinding => ({ ...NOTHING, level: 'ok', message });
export const skipped = (message: string): CheckFinding => ({
  ...NOTHING,
  level: 'skipped',
  message,
});

/**
 * Builds a finding with this code. The first value of `words` becomes the subject of the finding.
 */
export function found(
  code: ProblemCode,
  words: Readonly<Record<string, string | number>> = {},
): CheckFinding {
  const { level, message, fix, docs } = PROBLEMS[code];
  const [subject] = Object.values(words);
  return {
    level,
    code,
    subject: subject === undefined ? null : String(subject),
    message: filled(message, words),
    fix: filled(fix, words),
    docs,
  };
}

/** Replaces the placeholders `{name}` of a text by the values of `words`. */
function filled(text: string, words: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, word: string) => String(words[word] ?? name));
}
