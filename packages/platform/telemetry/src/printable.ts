import { DomainError, causeCodeOf } from '@sotto/kernel';

/**
 * Maximum length of a text field, in characters. A transaction hash has 66 characters; calldata and
 * proofs have thousands.
 */
const MAX_TEXT = 300;
const MAX_FRAMES = 20;
const MAX_CAUSES = 5;
const OMITTED = '[omitted]';
const PRIVATE_NAME =
  /private|secret|password|authorization|calldata|proof$|recipient|nullifier|signature/i;

type Printable =
  | string
  | number
  | boolean
  | null
  | undefined
  | { readonly [name: string]: Printable }
  | readonly Printable[];

/**
 * Returns the printable part of a log line’s fields. Primitives are printed, long texts are cut,
 * and errors are formatted by {@link printableError}. Other values, and fields with a private name,
 * become `[omitted]`. The types already forbid such fields, so this check matters only if a type
 * cast bypassed the types.
 */
export function printableFields(
  fields: Readonly<Record<string, unknown>>,
): Record<string, Printable> {
  const printable: Record<string, Printable> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined) printable[name] = isPrivate(name) ? OMITTED : printableValue(value);
  }
  return printable;
}

/** Maximum number of cached field names. Field names are written in the code, so there are few. */
const MAX_JUDGED_NAMES = 1_000;
const judgedNames = new Map<string, boolean>();

function isPrivate(name: string): boolean {
  const judged = judgedNames.get(name);
  if (judged !== undefined) return judged;
  const found = PRIVATE_NAME.test(name);
  if (judgedNames.size < MAX_JUDGED_NAMES) judgedNames.set(name, found);
  return found;
}

function printableValue(value: unknown): Printable {
  if (value instanceof Error) return printableError(value);
  if (typeof value === 'string') return cut(value);
  if (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null ||
    value === undefined
  )
    return value;
  return OMITTED;
}

/**
 * Formats a domain error with name, code, message and the code of its cause. Formats any other
 * error with name, message and stack frames. The message of such an error may quote its input, and
 * therefore long numbers in the message are blanked. Causes are printed only by name and error
 * code. Other properties are never printed.
 */
function printableError(error: Error): Printable {
  const causes = causesOf(error);
  const causeCode = causeCodeOf(error);
  const chain = {
    ...(causeCode === null ? {} : { causeCode }),
    ...(causes.length === 0 ? {} : { causes }),
  };
  if (error instanceof DomainError)
    return { name: error.name, code: error.code, message: cut(error.message), ...chain };
  return {
    name: error.name,
    message: cut(blankNumbers(error.message)),
    stack: framesOf(error),
    ...chain,
  };
}

function causesOf(error: Error): string[] {
  const names: string[] = [];
  const seen = new Set<unknown>([error]);
  let current = error.cause;
  while (current !== undefined && names.length < MAX_CAUSES && !seen.has(current)) {
    seen.add(current);
    if (!(current instanceof Error)) return [...names, typeof current];
    names.push(current instanceof DomainError ? `${current.name} ${current.code}` : current.name);
    current = current.cause;
  }
  return names;
}

function framesOf({ stack }: Error): string[] {
  const lines = stack?.split('\n').map((line) => line.trim()) ?? [];
  return lines.filter((line) => line.startsWith('at ')).slice(0, MAX_FRAMES);
}

function blankNumbers(text: string): string {
  return text.replaceAll(/\b(?:0x[0-9a-f]{9,}|\d{12,}|[0-9a-f]{16,})\b/gi, '…');
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
