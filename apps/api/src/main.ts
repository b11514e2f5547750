import { requireNode } from '@sotto/relayer/node-version';

requireNode();
// Imported only after the version check: an older Node fails at the first module that it can't
// link.
await import('./start.js');
