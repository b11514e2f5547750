import { describe, expect, it } from '@jest/globals';
import { InvalidRequest, readBase64 } from '../../src/index.js';

describe('readBase64', () => {
  it.each([
    ['', []],
    ['AA==', [0]],
    ['c3R3bw==', [...Buffer.from('stwo')]],
    ['+/8=', [0xfb, 0xff]],
  ])('decodes the canonical text %p', (text, bytes) => {
    expect([...readBase64('body.proof', text)]).toEqual(bytes);
  });

  it.each([
    ['without padding', 'AA'],
    ['with too much padding', 'AAAA===='],
    ['with set bits that are unused', 'AB=='],
    ['in the alphabet for URLs', '-_8='],
    ['with white space', 'AAAA AAAA'],
    ['with a line break at the end', 'AAAA\n'],
    ['with other characters', 'AA*='],
    ['with a prefix of a data URL', 'data:;base64,AAAA'],
  ])('rejects a text %s, and names its field only', (_name, text) => {
    let thrown: unknown;
    try {
      readBase64('body.proof', text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidRequest);
    expect(Object(thrown).issues).toEqual([
      {
        path: 'body.proof',
        message: 'must be canonical base64: standard alphabet, padded, no white space',
      },
    ]);
  });
});
