import { requireNode } from '@sotto/relayer/node-version';

requireNode();
// Dynamic import: an older Node would fail at the first module that it can't link.
await import('./start.js');
