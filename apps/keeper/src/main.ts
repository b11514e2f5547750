import { requireNode } from '@sotto/relayer/node-version';

requireNode();
// Imported dynamically: an older Node would fail at the first static import that it can't link.
await import('./start.js');
