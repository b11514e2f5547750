import { lane } from '../lane/lane.js';

export const judge = lane;
