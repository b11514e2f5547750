await import('./loader.mjs');
await import('../src/cli.ts');
