import { bridge } from '../../../core/bridge-core/src/index.js';
import { double } from '../../../dev/double/src/index.js';
import { relayer } from '../../../relayer/src/index.js';

export const logs = [bridge, double, relayer];
