// page-knows-the-interface
export { one } from '../../../packages/adapters/one/src/index.js';
