import { describe, expect, it } from '@jest/globals';
import {
  PartnerFindings,
  absentAsNull,
  parseEach,
  partnerText,
  statedReason,
  statedTexts,
  type AnswerSchema,
  type PartnerFinding,
} from '@sotto/http-client';

/** Reads whole numbers at `amount`. */
const schema: AnswerSchema<number> = {
  safeParse: (value) =>
    typeof value === 'number'
      ? { success: true, data: value }
      : { success: false, error: { issues: [{ path: ['amount'] }] } },
};

const read = (values: readonly unknown[]) => {
  const places: string[] = [];
  const options = {
    leaveOut: (at: string) => void places.push(at),
    malformedAt: (at: string) => new RangeError(`wrong at ${at}`),
  };
  return { parsed: parseEach(schema, values, options), places };
};

describe('parseEach', () => {
  it('T17 leaves unusable elements out and uses the others, in their order', () => {
    expect(read([1, 'x', 2, null])).toEqual({ parsed: [1, 2], places: ['amount', 'amount'] });
    expect(read([])).toEqual({ parsed: [], places: [] });
  });

  it('throws at the first element if none is usable', () => {
    expect(() => read(['x', 'y'])).toThrow(new RangeError('wrong at 0.amount'));
  });
});

describe('absentAsNull', () => {
  it.each([null, undefined, { value: null }, { value: undefined }])(
    'T17 treats %p as an absent number',
    (value) => {
      expect(absentAsNull(value)).toBeNull();
    },
  );

  it.each([0, '', false, {}, { value: 0 }, []])('leaves %p unchanged', (value) => {
    expect(absentAsNull(value)).toBe(value);
  });
});

describe('PartnerFindings', () => {
  it('T17 counts every element and reports the first of each place', () => {
    const reported: PartnerFinding[] = [];
    const findings = new PartnerFindings('shop', (finding) => void reported.push(finding));
    for (const at of ['price', 'price', 'market X']) findings.leaveOut(at);
    expect(findings.leftOut).toBe(3);
    expect(reported.map(({ at }) => at)).toEqual(['price', 'market X']);
  });

  it('T17 reports a bounded number of places of a bounded length', () => {
    let reports = 0;
    const findings = new PartnerFindings('shop', ({ at }) => {
      expect(at.length).toBeLessThanOrEqual(60);
      reports += 1;
    });
    for (let place = 0; place < 1_000; place += 1) findings.leaveOut(`${place} ${'x'.repeat(99)}`);
    expect([reports, findings.leftOut]).toEqual([100, 1_000]);
  });

  it('T17 records a rejected key until the partner answers otherwise', () => {
    const findings = new PartnerFindings('shop');
    expect(findings.rejectedWith).toBeNull();
    for (const status of [401, 403]) {
      findings.answered(status);
      expect(findings.rejectedWith).toBe(status);
    }
    findings.answered(500);
    expect(findings.rejectedWith).toBeNull();
  });
});

describe('partnerText', () => {
  const address = `0x${'5aAeb6053F'.repeat(4)}`;
  const token = `eyJ${'hbGciOiJIUzI1NiJ9'.repeat(3)}`;

  it.each<[string, string, string | undefined]>([
    ['an address', `${address}\n is not\u0000 a   recipient`, '# is not a recipient'],
    ['a token', `Bearer ${token}.${token}.${token} has expired`, 'Bearer #.#.# has expired'],
    ['an amount', 'at least 1000000 units', 'at least # units'],
    ['the name of an error', 'INSUFFICIENT_OUTPUT_AMOUNT_', 'INSUFFICIENT_OUTPUT_AMOUNT_'],
    ['nothing', ' \n', undefined],
  ])('T17 passes on a text with %s without secrets and numbers', (_what, text, shown) => {
    expect(partnerText(text)).toBe(shown);
  });

  it('T17 passes on at most 200 characters', () => {
    expect(partnerText('very '.repeat(100_000))?.length).toBe(200);
  });
});

describe('statedReason', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a list', ['a', 'b'], 'a; b'],
    ['validation errors', { errors: [{ field: 'size', message: 'too large' }] }, 'too large'],
    ['details of a framework', { detail: [{ loc: ['query'], msg: 'missing' }] }, 'missing'],
    ['long numbers', { message: 'no token 0x1234567890abcdef' }, 'no token #'],
    ['no text', { code: 7 }, undefined],
    ['no object', 'text', undefined],
    ['a key of the operator', { messages: ['bad key marker', 'try again'] }, 'try again'],
  ])('T17 returns the bounded reason of %s', (_what, body, reason) => {
    expect(statedReason(body, ['marker'])).toBe(reason);
  });

  it.each<[string, unknown]>([
    ['in capitals', { message: 'bad key P@SS/WORD-1234' }],
    ['encoded for an address', { message: 'https://x/?k=p%40ss%2Fword-1234' }],
    ['without its end', { message: 'bad key p@ss/word-1' }],
    ['without its beginning', { message: 'bad key …s/word-1234' }],
    ['over two texts', { message: 'bad key p@ss/wo', detail: 'rd-1234' }],
  ])('T17 returns no reason that repeats a secret %s', (_how, body) => {
    expect(statedReason(body, ['p@ss/word-1234'])).toBeUndefined();
    expect(statedReason(body, [''])).toBeDefined();
  });

  it('limits depth, number and length', () => {
    const deep = { error: { error: { error: { error: { error: 'hidden' } } } } };
    expect(statedTexts(deep)).toEqual([]);
    expect(statedTexts(Array.from({ length: 50 }, () => 'a'))).toHaveLength(20);
    expect(statedReason({ message: 'a b '.repeat(1_000) }, [])?.length).toBe(200);
  });
});
