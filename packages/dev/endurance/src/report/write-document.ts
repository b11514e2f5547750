import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** Writes a document of the project's `docs/measured`, formatted as everything else there. */
export async function writeDocument(name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../../../docs/measured/${name}`, import.meta.url));
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
