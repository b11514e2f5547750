import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** Runs `noticesOf` for a bundle of these modules. `status` is 1 if `noticesOf` throws. */
function noticesOf(...modules: readonly string[]) {
  const script = `
    import { fileURLToPath } from 'node:url';
    import { noticesOf } from './scripts/notices.mjs';
    const files = process.argv.slice(1).map((module) => fileURLToPath(import.meta.resolve(module)));
    const inputs = Object.fromEntries(files.map((file) => [file, {}]));
    process.stdout.write(noticesOf({ inputs }));`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script, ...modules], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    encoding: 'utf8',
  });
}

describe('notices of a bundle', () => {
  it('the notices contain the licence of each bundled library once, but not the licence of our packages', () => {
    const { stdout } = noticesOf('zod', 'zod/v4', '@sotto/kernel');
    expect(stdout).toMatch(/^zod \d+\.\d+\.\d+ \(MIT\)\n\n.*Permission is hereby granted/s);
    expect(stdout.match(/\(MIT\)/g)).toHaveLength(1);
  });

  it('noticesOf rejects code under the GPL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-notices-'));
    try {
      const manifest = { name: 'copyleft', version: '1.0.0', license: 'GPL-3.0-or-later' };
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
      const { status, stderr } = noticesOf(pathToFileURL(join(folder, 'index.js')).href);
      expect(status).toBe(1);
      expect(stderr).toContain('copyleft@1.0.0 is licensed as GPL-3.0-or-later');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
