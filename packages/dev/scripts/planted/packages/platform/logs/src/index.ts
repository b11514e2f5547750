import { bridge } from '../../../core/bridge-core/src/index.js';
import { relayer } from '../../../relayer/src/index.js';

export const logs = [bridge, relayer];
