// Writes the generated documents to docs/reference and formats them. The packages must be built
// first.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderDocuments } from '@sotto/documents';
import { OPTIONS, VARIABLES } from '@sotto/relayer';
import { ROUTES } from '@sotto/routes';
import { format, resolveConfig } from 'prettier';
import { buildOpenApi } from '../dist/http/openapi.js';

const documents = renderDocuments({
  variables: VARIABLES,
  options: OPTIONS,
  openApi: buildOpenApi(ROUTES),
});
for (const [name, text] of Object.entries(documents)) {
  const path = fileURLToPath(new URL(`../../../docs/reference/${name}`, import.meta.url));
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
