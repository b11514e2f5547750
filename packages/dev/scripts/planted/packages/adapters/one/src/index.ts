import { two } from '../../two/src/index.js';
import { snark } from '../../../dev/circuits/src/index.js';

export const one = [two, snark];
