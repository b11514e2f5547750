import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { variableRows } from '@sotto/settings';
import { Policy } from '../../src/policy/policy.js';
import { REFUSALS } from '../../src/refusal.js';
import { InvokeRequest } from '../../src/requests.js';
import { VARIABLES } from '../../src/settings.js';

const page = readFileSync(new URL('../../../../docs/signer.md', import.meta.url), 'utf8');
const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());
const lines = page.split('\n').map((line) => cells(line).join('|'));
const json = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text]): unknown =>
  JSON.parse(text ?? ''),
);

describe('docs/signer.md', () => {
  it.each(variableRows(VARIABLES))('docs/signer.md lists the setting %s', (row) => {
    expect(lines).toContain(cells(row).join('|'));
  });

  it.each(Object.entries(REFUSALS))(
    'docs/signer.md lists the signer’s rejection %s with its status',
    (code, status) => {
      expect(lines.some((line) => line.startsWith(`|\`${code}\`|${status}|`))).toBe(true);
    },
  );

  it('docs/signer.md contains a valid policy and a valid request', () => {
    const [policy, request] = json;
    expect(Policy.safeParse(policy).error).toBeUndefined();
    expect(InvokeRequest.safeParse(request).error).toBeUndefined();
  });
});
