// Writes the generated documents to docs/reference, formatted as everything else. Needs a build.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderDocuments } from '../dist/documentation/documents.js';

for (const [name, text] of Object.entries(renderDocuments())) {
  const path = fileURLToPath(new URL(`../../../docs/reference/${name}`, import.meta.url));
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
