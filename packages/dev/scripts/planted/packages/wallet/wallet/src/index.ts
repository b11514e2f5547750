import { kernel } from '../../../core/kernel/src/index.js';

export const wallet = kernel;
