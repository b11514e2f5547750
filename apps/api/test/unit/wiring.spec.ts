import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const APP = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(APP, 'node_modules/.bin/tsc');

const IMPORTS = `
import { Clock } from '@sotto/kernel';
import { LatestBlock, DeployBatch, GetPoolStatus, LookUpSubmission, PoolReader, SwapOutcomes } from '@sotto/relayer-core';
import { AppModule, assemble } from '@sotto/relayer/composition';
import { HttpPolicy } from '../../../src/composition/bindings.js';
import { CuratorTokens, OperatorTokens } from '../../../src/http/credentials.js';
import type { AppOptions } from '../../../src/http/create-app.js';
import { Route } from '@sotto/http-server';
import { deployBatchRoute, lookUpRoute } from '../../../src/http/routes/relaying.js';
`;

/** A module of the container around one binding. */
const around = (binding: string): string =>
  `${IMPORTS}\nexport const planted = new AppModule(({ bind }) => { ${binding} });\n`;

const PLANTED = {
  'sound.ts': `${around(`
    bind(Route).toResolvedValue(lookUpRoute, [LookUpSubmission, SwapOutcomes]);
    bind(Route).toResolvedValue(deployBatchRoute, [DeployBatch, OperatorTokens, HttpPolicy]);
    assemble(bind(GetPoolStatus), { reader: PoolReader, clock: LatestBlock }, ({ reader, clock }) => new GetPoolStatus(reader, clock, []));
    bind(GetPoolStatus).toResolvedValue((reader: PoolReader, clock: LatestBlock) => new GetPoolStatus(reader, clock, []), [PoolReader, LatestBlock]);`)}
export const tokens: Pick<AppOptions, 'curatorTokens' | 'operatorTokens'> = { curatorTokens: new CuratorTokens([]), operatorTokens: new OperatorTokens([]) };
export const used = Clock;`,
  'swapped-route.ts': around(
    'bind(Route).toResolvedValue(lookUpRoute, [SwapOutcomes, LookUpSubmission]);',
  ),
  'swapped-ports.ts': around(
    'bind(GetPoolStatus).toResolvedValue((reader: PoolReader, clock: LatestBlock) => new GetPoolStatus(reader, clock, []), [LatestBlock, PoolReader]);',
  ),
  'swapped-names.ts': around(
    'assemble(bind(GetPoolStatus), { reader: LatestBlock, clock: PoolReader }, ({ reader, clock }) => new GetPoolStatus(reader, clock, []));',
  ),
  'swapped-credential.ts': around(
    'bind(Route).toResolvedValue(deployBatchRoute, [DeployBatch, CuratorTokens, HttpPolicy]);',
  ),
  'missing.ts': around('bind(Route).toResolvedValue(lookUpRoute, [LookUpSubmission]);'),
  'other-class.ts': around(
    'bind(GetPoolStatus).toResolvedValue((clock: Clock) => clock, [Clock]);',
  ),
  'swapped-tokens.ts': `${IMPORTS}
export const tokens: Pick<AppOptions, 'curatorTokens' | 'operatorTokens'> = { curatorTokens: new OperatorTokens([]), operatorTokens: new CuratorTokens([]) };`,
} as const;

describe('the wiring', () => {
  let folder = '';
  // Inside of this package, whose dependencies it then sees.
  beforeAll(() => {
    folder = mkdtempSync(join(APP, 'node_modules/.wiring-'));
    for (const [name, text] of Object.entries(PLANTED))
      writeFileSync(join(folder, name), text.replaceAll('../../../src/', join(APP, 'src/')));
    const compilerOptions = { noEmit: true, noUnusedLocals: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(APP, 'tsconfig.test.json'),
        compilerOptions,
        include: ['*.ts'],
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('does not compile with a swapped, a missing or another dependency, and names the file', () => {
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
