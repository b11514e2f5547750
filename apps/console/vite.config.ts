import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  build: {
    target: 'es2023',
    // Keeps assets as separate files: the page's policy forbids `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
