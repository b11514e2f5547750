import { bridge } from '../../bridge-core/src/index.js';

export const price = bridge;
