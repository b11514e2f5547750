import { describe, expect, it } from '@jest/globals';
import { isSottoError } from '../src/index.js';

const feeTooLow = {
  error: 'The fee in the proof does not cover what the withdrawal costs now.',
  code: 'FEE_TOO_LOW',
  retry: 'new-quote',
  requestId: '0b8f3c1e',
  details: { offered: '100', required: '138' },
};

describe('a failure', () => {
  it('isSottoError recognises a failure by its error code', () => {
    const error: unknown = feeTooLow;
    expect(isSottoError(error, 'FEE_TOO_LOW') && error.details.required).toBe('138');
    expect(isSottoError(error, 'ROOT_UNKNOWN')).toBe(false);
    expect(isSottoError(error) && error.retry).toBe('new-quote');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['the page of a proxy', '<html>'],
    ['an object of another kind', { code: 'FEE_TOO_LOW', retry: 'later' }],
    ['one with an error that is no text', { error: {}, code: 'FEE_TOO_LOW', retry: 'later' }],
    ['a body without a code', { error: 'Bad Gateway', retry: 'same' }],
    ['a body that does not say what to do', { error: 'Bad Gateway', code: 'BAD_GATEWAY' }],
  ])('isSottoError does not accept %s as a failure of the service', (_what, body) => {
    expect(isSottoError(body)).toBe(false);
    expect(isSottoError(body, 'FEE_TOO_LOW')).toBe(false);
  });

  it('isSottoError also accepts a failure with an error code that this client does not know', () => {
    const error: unknown = { ...feeTooLow, code: 'NOTE_ON_FIRE', retry: 'later' };
    expect(isSottoError(error) && [String(error.code), error.retry]).toEqual([
      'NOTE_ON_FIRE',
      'later',
    ]);
  });

  it('a failure can be compared only with error codes of the catalogue, at compile time', () => {
    const error: unknown = feeTooLow;
    // @ts-expect-error no such code
    expect(isSottoError(error, 'FEE_TO_LOW')).toBe(false);
    // @ts-expect-error no such detail
    expect(isSottoError(error, 'FEE_TOO_LOW') && error.details.reqired).toBeUndefined();
  });
});
