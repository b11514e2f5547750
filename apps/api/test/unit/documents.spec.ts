import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import * as aggregator from '@sotto/adapter-aggregator';
import * as bridgeAdapter from '@sotto/adapter-bridge';
import * as starknet from '@sotto/adapter-starknet';
import * as bridge from '@sotto/bridge-core';
import * as curator from '@sotto/curator-core';
import * as groth16 from '@sotto/groth16';
import { DomainError } from '@sotto/kernel';
import * as relayer from '@sotto/relayer-core';
import * as staking from '@sotto/staking-core';
import * as submission from '@sotto/submission-core';
import { format, resolveConfig } from 'prettier';
import { NetworkProfile, EXAMPLE_PROFILE, repeatedAddresses } from '@sotto/network-profile';
import { renderDocuments } from '../../src/documentation/documents.js';
import * as service from '../../src/http/service-errors.js';

/** Errors of the reward programme are none of a caller's: staking-core answers without it. */
const PACKAGES = {
  aggregator,
  bridgeAdapter,
  starknet,
  bridge,
  curator,
  relayer,
  staking,
  submission,
  groth16,
  service,
};

/** An error of the class; none when the export is no class of errors. */
function errorOf(exported: unknown): readonly DomainError[] {
  if (typeof exported !== 'function' || !(exported.prototype instanceof DomainError)) return [];
  const made: unknown = Reflect.construct(exported, ['made by a test']);
  return made instanceof DomainError ? [made] : [];
}

describe('generated documents', () => {
  it.each(Object.entries(renderDocuments()))(
    'docs/reference/%s is what the sources say now (pnpm --filter @sotto/api run docs:write)',
    async (name, text) => {
      const path = fileURLToPath(new URL(`../../../../docs/reference/${name}`, import.meta.url));
      const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path });
      expect(readFileSync(path, 'utf8')).toBe(formatted);
    },
  );

  it('shows a profile that the service takes, and explains each of its fields', () => {
    expect(NetworkProfile.parse(EXAMPLE_PROFILE)).toMatchObject({
      name: EXAMPLE_PROFILE.name,
      limits: { depositL2Gas: 800_000n },
    });
    expect(repeatedAddresses(EXAMPLE_PROFILE)).toEqual([]);
    const text = renderDocuments()['network-profiles.md'] ?? '';
    expect(text).toContain(JSON.stringify(EXAMPLE_PROFILE, null, 2));
    for (const field of Object.keys(EXAMPLE_PROFILE))
      expect(text).toMatch(new RegExp(`^\\| \`${field}(\\[\\])?\` \\|.* \\| .+ \\|$`, 'm'));
  });

  it.each(Object.entries(PACKAGES))('lists every error of %s', (_name, exported) => {
    const text = renderDocuments()['errors.md'] ?? '';
    const errors = Object.values<unknown>(exported).flatMap(errorOf);
    const answered = errors.filter(({ kind }) => kind !== 'internal');
    expect(answered).not.toEqual([]);
    for (const { code } of answered) expect(text).toMatch(new RegExp(`^\\| \`${code}\` `, 'm'));
  });

  it('lists every error code once', () => {
    const codes = [
      ...(renderDocuments()['errors.md'] ?? '').matchAll(/^\| `([A-Z_0-9]+)` +\|/gm),
    ].map(([, code]) => code);
    expect(codes).toContain('FEE_TOO_LOW');
    expect(new Set(codes).size).toBe(codes.length);
  });
});
