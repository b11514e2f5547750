import { circle } from './circle.js';

export const two = 'two';
export const round = circle;
