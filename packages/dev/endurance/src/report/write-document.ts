import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../../docs/measured/${name}`, import.meta.url));

/** Returns a document of the project's `docs/measured`. */
export const readDocument = (name: string): string => readFileSync(pathOf(name), 'utf8');

/** Writes a document of the project's `docs/measured`, formatted as everything else there. */
export async function writeDocument(name: string, text: string): Promise<void> {
  const path = pathOf(name);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
