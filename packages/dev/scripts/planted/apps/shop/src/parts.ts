// only-the-composition-imports-adapters
export { one } from '../../../packages/adapters/one/src/index.js';
