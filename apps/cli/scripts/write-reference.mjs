// Writes docs/reference/cli.md, formatted with the repository's settings. Requires a build.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderReference } from '../dist/reference.js';

const path = fileURLToPath(new URL('../../../docs/reference/cli.md', import.meta.url));
const options = { ...(await resolveConfig(path)), filepath: path };
writeFileSync(path, await format(renderReference(), options));
