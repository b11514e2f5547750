import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REASON_CODES, REASONS } from '@sotto/facts';
import { REASON_WORDS } from '../../src/reasons.js';
import { wordsOf } from '../../src/words.js';

const DOCUMENTS = new URL('../../../../docs/', import.meta.url);

/** Returns the URL fragments of the headings of a document. */
function fragmentsOf(document: string): readonly string[] {
  const text = readFileSync(new URL(document, DOCUMENTS), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('words of reasons', () => {
  it('the console has texts for every reason code of the service, and for no other code', () => {
    expect(Object.keys(REASON_WORDS).toSorted()).toEqual(REASON_CODES.toSorted());
  });

  it('each reason code has a different headline', () => {
    const headlines = Object.values(REASON_WORDS).map(({ headline }) => headline);
    expect(new Set(headlines).size).toBe(REASON_CODES.length);
  });

  it.each(REASON_CODES)(
    'the console’s texts of a reason link to an existing section of the documents: %s',
    (code) => {
      const [document = '', fragment = ''] = REASON_WORDS[code].runbook.split('#');
      expect(fragmentsOf(document)).toContain(fragment);
    },
  );

  it('a reason code that the console does not know is displayed with the service’s text', () => {
    const reason = {
      code: 'STORE_UNREACHABLE' as const,
      component: 'store',
      details: {},
      since: 0,
      meaning: REASONS.STORE_UNREACHABLE,
    };
    expect(wordsOf(reason)).toBe(REASON_WORDS.STORE_UNREACHABLE);
    const newer: typeof reason = JSON.parse(
      JSON.stringify({ ...reason, code: 'MOON_TOO_LOW', meaning: 'The moon is too low.' }),
    );
    expect(wordsOf(newer)).toEqual({
      headline: 'moon too low',
      mend: 'The moon is too low.',
      runbook: null,
    });
  });
});
