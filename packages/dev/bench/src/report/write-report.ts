import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { Report } from './render-report.js';

const RESULTS = new URL('../../results/', import.meta.url);
const DOCUMENT = fileURLToPath(
  new URL('../../../../../docs/measured/benchmarks.md', import.meta.url),
);
/**
 * What stands between these lines is the last run's; the rest of the document is written by hand.
 */
const MARKS = { begin: '<!-- measured: begin -->', end: '<!-- measured: end -->' } as const;

/** Keeps the raw results of a run. @returns the file */
export function keepResults(report: Report): string {
  mkdirSync(RESULTS, { recursive: true });
  const file = new URL(`run-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`, RESULTS);
  writeFileSync(file, rawOf(report));
  return fileURLToPath(file);
}

/**
 * Puts a report into the document, and its raw results beside it as the reference.
 * @throws Error when the document has no place for it
 */
export async function writeDocument(report: Report, text: string): Promise<void> {
  const old = readFileSync(DOCUMENT, 'utf8');
  const [begin, end] = [old.indexOf(MARKS.begin), old.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for the results`);
  const fresh = `${old.slice(0, begin)}${MARKS.begin}\n\n${text}\n\n${old.slice(end)}`;
  writeFileSync(
    DOCUMENT,
    await format(fresh, { ...(await resolveConfig(DOCUMENT)), filepath: DOCUMENT }),
  );
  const reference = fileURLToPath(new URL('reference.json', RESULTS));
  writeFileSync(
    reference,
    await format(rawOf(report), { ...(await resolveConfig(reference)), filepath: reference }),
  );
}

function rawOf({ where, seconds, plan, findings }: Report): string {
  const raw = Object.fromEntries(
    Object.entries(findings).map(([name, finding]) => [name, finding.raw]),
  );
  return JSON.stringify({ where, seconds, plan, results: raw });
}
