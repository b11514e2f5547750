import { two } from './index.js';

export const circle = `around ${two}`;
