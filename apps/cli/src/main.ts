#!/usr/bin/env node
import { requireNode } from '@sotto/relayer/node-version';

requireNode(2);
// Not before: an older Node fails at the first module that it can't link.
await import('./start.js');
