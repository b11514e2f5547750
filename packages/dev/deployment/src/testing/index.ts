export { DevnetStack, type DevnetStackOptions } from './devnet-stack.js';
