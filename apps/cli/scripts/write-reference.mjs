// Writes docs/reference/cli.md in the common format. Needs a build.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderReference } from '../dist/reference.js';

const path = fileURLToPath(new URL('../../../docs/reference/cli.md', import.meta.url));
const options = { ...(await resolveConfig(path)), filepath: path };
writeFileSync(path, await format(renderReference(), options));
