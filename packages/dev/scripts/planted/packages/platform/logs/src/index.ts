import { bridge } from '../../../core/bridge-core/src/index.js';

export const logs = bridge;
