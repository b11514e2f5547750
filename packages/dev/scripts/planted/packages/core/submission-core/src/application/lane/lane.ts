import { helper } from '../drawer/helper.js';

export const lane = helper;
