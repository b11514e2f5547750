import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const APP = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(APP, 'node_modules/.bin/tsc');

const IMPORTS = `
import type { UseCases } from '@sotto/relayer';
import { CuratorTokens, OperatorTokens } from '../../../src/http/credentials.js';
import type { AppOptions } from '../../../src/http/create-app.js';
import type { HttpPolicy } from '../../../src/http/http-policy.js';
import { deployBatchRoute, lookUpRoute } from '../../../src/http/routes/relaying.js';
declare const policy: HttpPolicy;
`;

/** Returns the source of a program that contains one route. */
const around = (route: string): string =>
  `${IMPORTS}\nexport const planted = (relayer: UseCases) => ${route};\n`;

const PLANTED = {
  'sound.ts': `${around(
    `[lookUpRoute(relayer), lookUpRoute({ ...relayer, lookUpSubmission: relayer.lookUpSubmission }), deployBatchRoute(relayer, new OperatorTokens([]), policy)]`,
  )}
export const tokens: Pick<AppOptions, 'curatorTokens' | 'operatorTokens'> = { curatorTokens: new CuratorTokens([]), operatorTokens: new OperatorTokens([]) };`,
  'swapped-route.ts': around(
    'lookUpRoute({ ...relayer, lookUpSubmission: relayer.swapOutcomes, swapOutcomes: relayer.lookUpSubmission })',
  ),
  'swapped-credential.ts': around('deployBatchRoute(relayer, new CuratorTokens([]), policy)'),
  'missing.ts': around('deployBatchRoute(relayer, new OperatorTokens([]))'),
  'swapped-tokens.ts': `${IMPORTS}
export const tokens: Pick<AppOptions, 'curatorTokens' | 'operatorTokens'> = { curatorTokens: new OperatorTokens([]), operatorTokens: new CuratorTokens([]) };`,
} as const;

describe('the wiring', () => {
  let folder = '';
  // The folder is inside this package, so that the compiler finds this package's dependencies from
  // there.
  beforeAll(() => {
    folder = mkdtempSync(join(APP, 'node_modules/.wiring-'));
    for (const [name, text] of Object.entries(PLANTED))
      writeFileSync(join(folder, name), text.replaceAll('../../../src/', join(APP, 'src/')));
    // One type checker suffices. Each additional checker would infer most types a second time.
    const compilerOptions = { noEmit: true, noUnusedLocals: false, checkers: 1 };
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

  it('the TypeScript compiler reports each wiring file with a swapped, missing or additional dependency', () => {
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
