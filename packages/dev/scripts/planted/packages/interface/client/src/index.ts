import { bridge } from '../../../core/bridge-core/src/index.js';

export const client = bridge;
