import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const json = (file: string): Record<string, unknown> => Object(JSON.parse(text(file)));

interface OwnerScript {
  codeOwnersText(owner: { readonly codeOwners?: readonly string[] }): string | null;
  parseOwner(file: string): object;
  repositoryFields(owner: { readonly repository?: string }): object;
}
const owner: OwnerScript = await import(join(ROOT, 'packages/dev/scripts/owner.mjs'));

const workflows = readdirSync(join(ROOT, '.github/workflows'));
const packages = readdirSync(join(ROOT, 'packages'))
  .flatMap((area) => [
    `packages/${area}`,
    ...readdirSync(join(ROOT, 'packages', area)).map((name) => `packages/${area}/${name}`),
  ])
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
const shipped = packages.filter((folder) => json(`${folder}/package.json`)['private'] !== true);

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
const stepsOf = (workflow: string): readonly Step[] => {
  const jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> = Object(
    parse(text(`.github/workflows/${workflow}`)),
  ).jobs;
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

describe('the workflows of the hosted CI', () => {
  it.each(workflows)(
    'the CI workflow %s has only read permissions and pins each action to a version',
    (workflow) => {
      expect(Object(parse(text(`.github/workflows/${workflow}`))).permissions).toEqual({
        contents: 'read',
      });
      const actions = stepsOf(workflow).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
      expect(actions.filter((action) => !/@v\d+$/.test(action))).toEqual([]);
    },
  );

  it.each(workflows)(
    'the CI workflow %s runs only commands that exist in the checkout',
    (workflow) => {
      const scripts = Object(json('package.json')['scripts']);
      const commands = stepsOf(workflow).flatMap(({ run = '' }) => run.split('\n'));
      const missing = commands.filter((command) => {
        const [, script] = /^npm run ([\w:-]+)/.exec(command) ?? [];
        const [, file] = /^(\.ci\/\S+)/.exec(command) ?? [];
        const [, docker] = /--file (\S+)/.exec(command) ?? [];
        return (
          (script !== undefined && !Object.hasOwn(scripts, script)) ||
          [file, docker].some((path) => path !== undefined && !existsSync(join(ROOT, path)))
        );
      });
      expect(missing).toEqual([]);
      expect(commands).toContain('.ci/run');
    },
  );

  it('the CI workflows publish nothing until the repository’s owner removes `--dry-run`', () => {
    const commands = workflows
      .flatMap(stepsOf)
      .flatMap(({ run = '' }) => run.split('\n'))
      .filter((command) => command.includes('publish'));
    expect(commands).toHaveLength(1);
    expect(commands.filter((command) => !command.endsWith(' --dry-run'))).toEqual([]);
  });
});

describe('the repository', () => {
  it('the major version of Node is equal in package.json, .nvmrc and the development container', () => {
    const { devDependencies } = json('package.json');
    const major = String(Object(devDependencies).node).split('.')[0] ?? '';
    expect(text('.nvmrc').trim()).toBe(major);
    expect(text('.devcontainer/devcontainer.json')).toContain(`typescript-node:${major}-`);
  });

  it.each(shipped)(
    'the manifest of the package %s has a description, keywords and a licence',
    (folder) => {
      const { description, keywords, license } = json(`${folder}/package.json`);
      expect(description).toEqual(expect.stringMatching(/^[A-Z].{20,}\.$/));
      expect(keywords).toEqual(expect.arrayContaining(['starknet', 'sotto']));
      expect(['MIT', 'GPL-3.0-or-later']).toContain(license);
    },
  );
});

describe('owner.json', () => {
  it('the repository of owner.json is added to packed package manifests', () => {
    expect(owner.repositoryFields({ repository: 'https://git.example/sotto.git' })).toEqual({
      repository: { type: 'git', url: 'https://git.example/sotto.git' },
      bugs: 'https://git.example/sotto/issues',
    });
    expect(owner.repositoryFields({})).toEqual({});
  });

  it('the file of code owners is written if owner.json contains code owners', () => {
    expect(owner.codeOwnersText({ codeOwners: ['@a', '@b'] })).toBe('* @a @b\n');
    expect(owner.codeOwnersText({})).toBeNull();
  });

  it.each([
    ['{ "repositry": "x" }', 'repositry is not a field'],
    ['{ "repository": "x" }', 'repository must be a URL'],
    ['{ "codeOwners": "@a" }', 'codeOwners must be a list of names'],
  ])('rejects an owner.json with %s and reports the field', (file, message) => {
    expect(() => owner.parseOwner(file)).toThrow(message);
  });
});
