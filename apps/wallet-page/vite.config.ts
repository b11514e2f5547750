import { defineConfig } from 'vite';

export default defineConfig({
  base: '/wallet/',
  build: {
    target: 'es2023',
    // Assets stay separate files, because the page's content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The limit is raised because starknet.js is large; the page is only for development.
    chunkSizeWarningLimit: 2_000,
  },
  worker: { format: 'es' },
});
