import { writeFileSync } from 'node:fs';
import { TYPES_FILE, generateTypes } from './generate-types.ts';

writeFileSync(TYPES_FILE, await generateTypes());
