export { setup as default } from './devnet-setup.mjs';
