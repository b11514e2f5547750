import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(PACKAGE, 'node_modules/.bin/tsc');

const IMPORTS = `
import { Clock } from '@sotto/kernel';
import { LatestBlock } from '@sotto/submission-core';
import { GetPoolStatus, PoolReader } from '@sotto/relayer-core';
import { AppModule, assemble } from '../../../src/composition/container.js';
`;

/** Returns the source of a module that contains only this binding. */
const around = (binding: string): string =>
  `${IMPORTS}\nexport const planted = new AppModule(({ bind }) => { ${binding} });\n`;

const PLANTED = {
  'sound.ts': `${around(`
    assemble(bind(GetPoolStatus), { reader: PoolReader, clock: LatestBlock }, ({ reader, clock }) => new GetPoolStatus(reader, clock, []));
    bind(GetPoolStatus).toResolvedValue((reader: PoolReader, clock: LatestBlock) => new GetPoolStatus(reader, clock, []), [PoolReader, LatestBlock]);`)}
export const used = Clock;`,
  'swapped-ports.ts': around(
    'bind(GetPoolStatus).toResolvedValue((reader: PoolReader, clock: LatestBlock) => new GetPoolStatus(reader, clock, []), [LatestBlock, PoolReader]);',
  ),
  'swapped-names.ts': around(
    'assemble(bind(GetPoolStatus), { reader: LatestBlock, clock: PoolReader }, ({ reader, clock }) => new GetPoolStatus(reader, clock, []));',
  ),
  'missing.ts': around(
    'bind(GetPoolStatus).toResolvedValue((reader: PoolReader, clock: LatestBlock) => new GetPoolStatus(reader, clock, []), [PoolReader]);',
  ),
  'other-class.ts': around(
    'bind(GetPoolStatus).toResolvedValue((clock: Clock) => clock, [Clock]);',
  ),
} as const;

describe('the wiring', () => {
  let folder = '';
  // The folder is inside this package so that it can resolve the package's dependencies.
  beforeAll(() => {
    folder = mkdtempSync(join(PACKAGE, 'node_modules/.wiring-'));
    for (const [name, text] of Object.entries(PLANTED))
      writeFileSync(join(folder, name), text.replaceAll('../../../src/', join(PACKAGE, 'src/')));
    const compilerOptions = { noEmit: true, noUnusedLocals: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(PACKAGE, 'tsconfig.test.json'),
        compilerOptions,
        include: ['*.ts'],
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('wrong dependencies do not compile, and the compiler reports each affected file', () => {
    const { stdout } = spawnSync(TSC, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    const wrong = new Set(
      [...stdout.matchAll(/([\w-]+\.ts)\(\d+,\d+\): error/g)].map(([, name = '']) => name),
    );
    expect([...wrong].toSorted()).toEqual(
      Object.keys(PLANTED)
        .filter((name) => name !== 'sound.ts')
        .toSorted(),
    );
  });
});
