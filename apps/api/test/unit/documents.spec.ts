import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { renderDocuments } from '@sotto/documents';
import { NetworkProfile, EXAMPLE_PROFILE, repeatedAddresses } from '@sotto/network-profile';
import { ROUTES } from '@sotto/routes';
import { OPTIONS, VARIABLES } from '@sotto/relayer';
import { buildOpenApi } from '../../src/http/openapi.js';

const documents = renderDocuments({
  variables: VARIABLES,
  options: OPTIONS,
  openApi: buildOpenApi(ROUTES),
});

describe('generated documents', () => {
  it.each(Object.entries(documents))(
    'the generated file docs/reference/%s is up to date (pnpm --filter @sotto/api run docs:write)',
    async (name, text) => {
      const path = fileURLToPath(new URL(`../../../../docs/reference/${name}`, import.meta.url));
      const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path });
      expect(readFileSync(path, 'utf8')).toBe(formatted);
    },
  );

  it('the reference of network profiles contains a valid profile and explains each of its fields', () => {
    expect(NetworkProfile.parse(EXAMPLE_PROFILE)).toMatchObject({
      name: EXAMPLE_PROFILE.name,
      limits: { depositL2Gas: 800_000n },
    });
    expect(repeatedAddresses(EXAMPLE_PROFILE)).toEqual([]);
    const text = documents['network-profiles.md'] ?? '';
    expect(text).toContain(JSON.stringify(EXAMPLE_PROFILE, null, 2));
    for (const field of Object.keys(EXAMPLE_PROFILE))
      expect(text).toMatch(new RegExp(`^\\| \`${field}(\\[\\])?\` \\|.* \\| .+ \\|$`, 'm'));
  });

  it('the reference of errors lists every error code once within its section', () => {
    const sections = (documents['errors.md'] ?? '')
      .split(/^## /m)
      .map((section) => [...section.matchAll(/^\| `([A-Z_0-9]+)` +\|/gm)].map(([, code]) => code));
    expect(sections.flat()).toContain('FEE_TOO_LOW');
    for (const codes of sections) expect(new Set(codes).size).toBe(codes.length);
  });
});
