import { one } from '../one/index.js';

export const two = one;
