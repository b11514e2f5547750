#!/usr/bin/env node
import { requireNode } from '@sotto/relayer/node-version';

requireNode(2);
// Dynamic import: an older Node would fail at the first module that it can't link.
await import('./start.js');
