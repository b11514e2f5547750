#!/usr/bin/env node
// Writes the Cairo modules that contain derived constants.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAIRO_FOLDER } from './cairo-sources.mjs';
import { generatedModules } from './poseidon-source.mjs';

for (const [module, source] of Object.entries(generatedModules()))
  writeFileSync(join(CAIRO_FOLDER, `${module}.cairo`), source);
