import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export default defineConfig({
  build: {
    target: 'es2023',
    // Assets stay separate files, because the page's content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [here('index.html'), here('docs.html')] },
  },
});
