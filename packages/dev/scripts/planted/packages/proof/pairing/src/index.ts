import { bridge } from '../../../core/bridge-core/src/index.js';

export const pairing = bridge;
