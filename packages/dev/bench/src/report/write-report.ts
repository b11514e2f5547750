import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeBetweenMarks, writeFormatted } from '@sotto/load-kit/report';
import type { Report } from './render-report.js';

const RESULTS = new URL('../../results/', import.meta.url);

/** Writes the raw results of a run. @returns path of the file */
export function keepResults(report: Report): string {
  mkdirSync(RESULTS, { recursive: true });
  const file = new URL(`run-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`, RESULTS);
  writeFileSync(file, rawOf(report));
  return fileURLToPath(file);
}

/**
 * Writes a report into the document, and writes its raw results as the reference.
 * @throws Error if the document has no marks for the report
 */
export async function writeDocument(report: Report, text: string): Promise<void> {
  await writeBetweenMarks('benchmarks.md', text);
  await writeFormatted(fileURLToPath(new URL('reference.json', RESULTS)), rawOf(report));
}

function rawOf({ where, seconds, plan, findings }: Report): string {
  const raw = Object.fromEntries(
    Object.entries(findings).map(([name, finding]) => [name, finding.raw]),
  );
  return JSON.stringify({ where, seconds, plan, results: raw });
}
