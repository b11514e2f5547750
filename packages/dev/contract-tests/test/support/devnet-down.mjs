export { teardown as default } from './devnet-setup.mjs';
