import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** Marks before and after the text of the last run. The rest of the document is written by hand. */
const MARKS = { begin: '<!-- measured: begin -->', end: '<!-- measured: end -->' } as const;

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../../docs/measured/${name}`, import.meta.url));

/** Reads a document from the project's folder `docs/measured`. */
export const readDocument = (name: string): string => readFileSync(fileOf(name), 'utf8');

/** Writes a document to the project's folder `docs/measured`. */
export function writeDocument(name: string, text: string): Promise<void> {
  return writeFormatted(fileOf(name), text);
}

/** Replaces the text between the marks of a document. @throws Error if the document has no marks */
export async function writeBetweenMarks(name: string, text: string): Promise<void> {
  const old = readDocument(name);
  const [begin, end] = [old.indexOf(MARKS.begin), old.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) throw new Error(`${name} has no place for the results`);
  await writeDocument(name, `${old.slice(0, begin)}${MARKS.begin}\n\n${text}\n\n${old.slice(end)}`);
}

/** Writes a file in the format of the project's formatter. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}
