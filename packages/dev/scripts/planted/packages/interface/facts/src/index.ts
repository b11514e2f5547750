import { readFileSync } from 'node:fs';

export const facts = readFileSync;
