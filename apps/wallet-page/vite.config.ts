import { defineConfig } from 'vite';

export default defineConfig({
  base: '/wallet/',
  build: {
    target: 'es2023',
    // Keeps assets as separate files: the page's policy forbids `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // starknet.js is large, and this page is for development.
    chunkSizeWarningLimit: 2_000,
  },
  worker: { format: 'es' },
});
