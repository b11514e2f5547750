import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

describe('the package, bundled for a browser', () => {
  it('the client bundled for browsers uses no module of Node', async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'sotto',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(
      inputs.filter((input) => input.startsWith('node:') || builtinModules.includes(input)),
    ).toEqual([]);

    const page = {
      URL,
      URLSearchParams,
      Headers,
      Request,
      Response,
      TextDecoder,
      fetch: async ({ url }: Request) => Response.json({ asked: url }),
    };
    const context = createContext(page);
    runInContext(outputFiles.map(({ text }) => text).join(''), context);
    const ask = `sotto.createSottoClient({ baseUrl: 'https://relayer.example' }).GET('/api/relayer/pools').then(({ data }) => data.asked)`;
    expect(await runInContext(ask, context)).toBe('https://relayer.example/api/relayer/pools');
  });

  it('the client bundled for browsers contains neither zod nor the route definitions, and has at most 10 kB', async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      conditions: ['@sotto/source'],
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((input) => input.includes('openapi-fetch'))).toBe(true);
    expect(inputs.filter((input) => /zod|interface\/routes/.test(input))).toEqual([]);
    const [bundle = new Uint8Array()] = outputFiles.map(({ contents }) => contents);
    expect(bundle.length).toBeGreaterThan(1_000);
    expect(bundle.length).toBeLessThanOrEqual(10_000);
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(4_000);
  });
});
