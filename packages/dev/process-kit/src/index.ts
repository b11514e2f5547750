export { hashInvoke } from './hash-invoke.js';
