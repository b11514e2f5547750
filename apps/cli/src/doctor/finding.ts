import { PROBLEMS, type Level, type ProblemCode } from './catalogue.js';

/** One line of the doctor's report. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** Null where nothing is wrong. */
  readonly code: ProblemCode | null;
  /** What it is about, such as an account or a variable; null where the check says it all. */
  readonly subject: string | null;
  readonly message: string;
  readonly fix: string | null;
  readonly docs: string | null;
}

/** What a check finds; who runs the check adds its name. */
export type CheckFinding = Omit<Finding, 'check'>;

const NOTHING = { code: null, subject: null, fix: null, docs: null } as const;

export const fine = (message: string): CheckFinding => ({ ...NOTHING, level: 'ok', message });
export const skipped = (message: string): CheckFinding => ({
  ...NOTHING,
  level: 'skipped',
  message,
});

/** The first of these words is the subject. */
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

/** The text with its `{names}` filled in. */
function filled(text: string, words: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, word: string) => String(words[word] ?? name));
}
