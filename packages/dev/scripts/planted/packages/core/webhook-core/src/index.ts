import { bridge } from '../../bridge-core/src/index.js';

export const message = bridge;
