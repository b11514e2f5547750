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

/** A schema for objects: it parses a whole number at `amount`. */
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
  it('T17: parseEach skips unusable elements and returns the other elements in their order', () => {
    expect(read([1, 'x', 2, null])).toEqual({ parsed: [1, 2], places: ['amount', 'amount'] });
    expect(read([])).toEqual({ parsed: [], places: [] });
  });

  it('parseEach throws the error for the first element if all elements are unusable', () => {
    expect(() => read(['x', 'y'])).toThrow(new RangeError('wrong at 0.amount'));
  });
});

describe('absentAsNull', () => {
  it.each([null, undefined, { value: null }, { value: undefined }])(
    'T17: absentAsNull treats %p as an absent number',
    (value) => {
      expect(absentAsNull(value)).toBeNull();
    },
  );

  it.each([0, '', false, {}, { value: 0 }, []])('absentAsNull returns %p unchanged', (value) => {
    expect(absentAsNull(value)).toBe(value);
  });
});

describe('PartnerFindings', () => {
  it('T17: PartnerFindings counts every skipped element', () => {
    const reported: PartnerFinding[] = [];
    const findings = new PartnerFindings('shop', (finding) => void reported.push(finding));
    for (const at of ['price', 'price', 'market X']) findings.leaveOut(at);
    expect(findings.leftOut).toBe(3);
    expect(reported.map(({ at }) => at)).toEqual(['price', 'market X']);
  });

  it('T17: PartnerFindings limits the number and the length of reported paths', () => {
    let reports = 0;
    const findings = new PartnerFindings('shop', ({ at }) => {
      expect(at.length).toBeLessThanOrEqual(60);
      reports += 1;
    });
    for (let place = 0; place < 1_000; place += 1) findings.leaveOut(`${place} ${'x'.repeat(99)}`);
    expect([reports, findings.leftOut]).toEqual([100, 1_000]);
  });

  it('T17: PartnerFindings reports rejected credentials until the partner responds with a status other than 401 and 403', () => {
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
  ])(
    'T17: partnerText removes secrets and long numbers from a text with %s',
    (_what, text, shown) => {
      expect(partnerText(text)).toBe(shown);
    },
  );

  it('T17: partnerText returns at most 200 characters of a text', () => {
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
  ])(
    'T17: statedReason returns the shortened error reason from a body with %s',
    (_what, body, reason) => {
      expect(statedReason(body, ['marker'])).toBe(reason);
    },
  );

  it.each<[string, unknown]>([
    ['in capitals', { message: 'bad key P@SS/WORD-1234' }],
    ['encoded for an address', { message: 'https://x/?k=p%40ss%2Fword-1234' }],
    ['without its end', { message: 'bad key p@ss/word-1' }],
    ['without its beginning', { message: 'bad key …s/word-1234' }],
    ['over two texts', { message: 'bad key p@ss/wo', detail: 'rd-1234' }],
  ])('T17: statedReason returns no reason if the body contains a secret %s', (_how, body) => {
    expect(statedReason(body, ['p@ss/word-1234'])).toBeUndefined();
    expect(statedReason(body, [''])).toBeDefined();
  });

  it('statedReason limits the depth of the body, the number of texts and the length of the reason', () => {
    const deep = { error: { error: { error: { error: { error: 'hidden' } } } } };
    expect(statedTexts(deep)).toEqual([]);
    expect(statedTexts(Array.from({ length: 50 }, () => 'a'))).toHaveLength(20);
    expect(statedReason({ message: 'a b '.repeat(1_000) }, [])?.length).toBe(200);
  });
});
