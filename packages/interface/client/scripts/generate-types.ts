import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

const DOCUMENT = new URL('../../../../docs/reference/openapi.json', import.meta.url);

/** Where the generated types are kept. */
export const TYPES_FILE = new URL('../src/openapi.ts', import.meta.url);

const HEADER =
  '// Generated from docs/reference/openapi.json: pnpm --filter @sotto/client run types:write\n\n';

/** The types of the interface as the document describes it now, formatted. */
export async function generateTypes(): Promise<string> {
  // A field with a default may be left out of a request.
  const nodes = await openapiTS(await readFile(DOCUMENT, 'utf8'), { defaultNonNullable: false });
  const path = TYPES_FILE.pathname;
  return format(`${HEADER}${astToString(nodes)}`, {
    ...(await resolveConfig(path)),
    filepath: path,
  });
}
