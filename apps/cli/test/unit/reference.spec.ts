import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { PROBLEMS } from '../../src/doctor/catalogue.js';
import { renderReference } from '../../src/reference.js';

const inRepository = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);

/** Returns the anchor of a heading on Markdown hosts. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');

describe('the reference of the command', () => {
  it('docs/reference/cli.md equals the text generated from the command’s definitions', async () => {
    const url = inRepository('docs/reference/cli.md');
    const options = { ...(await resolveConfig(url)), filepath: url.pathname };
    expect(readFileSync(url, 'utf8')).toBe(await format(renderReference(), options));
  });

  it.each(Object.entries(PROBLEMS))(
    'docs/reference/cli.md links to an existing heading: %s',
    (_, { docs }) => {
      const [file = '', anchor] = docs.split('#');
      const headings = readFileSync(inRepository(file), 'utf8').match(/^#+ .*/gm) ?? [];
      expect(headings.map(anchorOf)).toContain(anchor);
    },
  );
});
