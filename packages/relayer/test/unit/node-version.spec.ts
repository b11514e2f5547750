import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LEAST_NODE, nodeProblem } from '../../src/node-version.js';

const textOf = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^import .* from '(.*)'/gm)].map(([, from = '']) => from);

describe('a Node that is too old', () => {
  it.each(['14.21.3', '20.19.0', '22.12.0'])(
    'a Node version that is too old is reported in one sentence with its remedy: %s',
    (old) => {
      expect(nodeProblem(old)).toMatch(
        new RegExp(`^this is Node ${old.replaceAll('.', '\\.')}, which is too old: Node 22\\.13`),
      );
    },
  );

  it.each(['22.13.0', '24.0.0', '26.1.0'])('accepts Node %s', (version) => {
    expect(nodeProblem(version)).toBeNull();
  });

  it('the minimum Node version equals the version that package.json requires', () => {
    const { engines } = JSON.parse(textOf('packages/relayer/package.json'));
    expect(engines).toEqual({ node: `>=${LEAST_NODE.join('.')}` });
  });

  it('each app checks the Node version before other modules are linked', () => {
    expect(importsOf(textOf('packages/relayer/src/node-version.ts'))).toEqual([]);
    for (const app of ['api', 'cli', 'keeper'])
      expect({ app, imports: importsOf(textOf(`apps/${app}/src/main.ts`)) }).toEqual({
        app,
        imports: ['@sotto/relayer/node-version'],
      });
  });
});
