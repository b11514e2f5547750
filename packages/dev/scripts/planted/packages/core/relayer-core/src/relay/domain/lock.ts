import { fee } from '../../pools/domain/fee.js';

export const lock = fee;
