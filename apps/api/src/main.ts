import { requireNode } from '@sotto/relayer/node-version';

requireNode();
// The module is imported only after the version check: an older Node would fail at the first module
// that it can't link.
await import('./start.js');
