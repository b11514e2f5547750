#!/usr/bin/env node
import { requireNode } from '@sotto/relayer/node-version';

requireNode(2);
// Imported dynamically: an older Node would fail at the first static import that it can't link.
await import('./start.js');
