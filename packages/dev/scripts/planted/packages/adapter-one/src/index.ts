import { two } from '../../adapter-two/src/index.js';
import { snark } from '../../circuits/src/index.js';

export const one = [two, snark];
