import { readFileSync } from 'node:fs';

/** Reviewed survivors by file, each with the reason why no test can kill it or needs to kill it. */
const accepted = JSON.parse(readFileSync(new URL('./accepted.json', import.meta.url), 'utf8'));

const SURVIVED = new Set(['Survived', 'NoCoverage']);
const VALID = new Set([...SURVIVED, 'Killed', 'Timeout']);

export const survivors = ({ mutants }) => mutants.filter(({ status }) => SURVIVED.has(status));
export const valid = ({ mutants }) => mutants.filter(({ status }) => VALID.has(status));

/** Returns the reason why a survivor is accepted; undefined if the survivor was not reviewed. */
export function reason(mutant) {
  return isLogLine(mutant)
    ? 'only a log line'
    : accepted[mutant.file]?.find((entry) => isOf(entry, mutant))?.why;
}

export const unexplained = (result) =>
  survivors(result).filter((mutant) => reason(mutant) === undefined);

/** Returns the reasons that no longer belong to a survivor. */
export function outdated(results) {
  const living = results.flatMap(survivors);
  return Object.entries(accepted).flatMap(([file, entries]) =>
    entries
      .filter((entry) => !living.some((mutant) => mutant.file === file && isOf(entry, mutant)))
      .map(({ code, becomes }) => ({ file, code, becomes })),
  );
}

/**
 * Returns true if the entry describes this mutant. If two pieces of code are equal, `within` (the
 * whole line) distinguishes them.
 */
function isOf(entry, { within, code, becomes }) {
  return entry.code === code && entry.becomes === becomes && (entry.within ?? within) === within;
}

function isLogLine({ code, becomes }) {
  return becomes === ';' && /^[\w.]*logger\.\w+\(/.test(code);
}
