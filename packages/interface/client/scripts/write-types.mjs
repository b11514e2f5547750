// Replaces the types that the compiler made from the definitions by types generated from
// docs/reference/openapi.json. The compiler's types would need zod and contain no descriptions.
import { readFile, rm, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = new URL('../../../../docs/reference/openapi.json', import.meta.url);
const types = new URL('../dist/openapi.d.ts', import.meta.url);

// In the generated types, a field with a default must be optional in a request.
const nodes = await openapiTS(await readFile(document, 'utf8'), {
  defaultNonNullable: false,
  // The OpenAPI document allows any text as code. The client's type lists the codes of the
  // catalogue.
  transform: ({ description = '' }) =>
    description.startsWith('Stable code, for programs')
      ? ts.factory.createTypeReferenceNode('ErrorCode')
      : undefined,
});
const imported = "import type { ErrorCode } from './errors.js';\n";
await writeFile(types, `${imported}${astToString(nodes)}`);
await rm(new URL(`${types.href}.map`), { force: true });
