import { describe, expect, it } from '@jest/globals';
import { STEP_NAMES } from '@sotto/bridge-core';
import {
  DEFAULT_SLIPPAGE_PPM,
  MAX_SIGNATURE_FELTS,
  MAX_SLIPPAGE_PPM,
  PAUSED_FOR,
  SubmissionNotFound,
} from '@sotto/relayer-core';
import { BOUNDARY_CODES, CODES_OF, limits } from '@sotto/routes';
import { FINDING_CODES } from '@sotto/submission-core';
import { BOUNDARY_ERRORS } from '../../src/http/errors.js';
import { ERRORS_OF } from '../../src/http/use-case-errors.js';
import { STORE_ERRORS } from '../../src/http/port-errors.js';

const PPM = 1_000_000;

describe('the interface as data', () => {
  it.each(Object.entries({ ...ERRORS_OF, submission: [SubmissionNotFound, ...STORE_ERRORS] }))(
    'names the codes of every error of the use case: %s',
    (useCase, errors) => {
      expect(new Map(Object.entries(CODES_OF)).get(useCase)).toEqual(
        errors.map(({ code }) => code),
      );
    },
  );

  it.each(Object.entries(BOUNDARY_CODES))(
    'names the codes of the HTTP boundary: %s',
    (aspect, codes) => {
      const errors = new Map(Object.entries(BOUNDARY_ERRORS)).get(aspect);
      expect(errors?.map(({ code }) => code)).toEqual(codes);
    },
  );

  it('says of the domains what they do', () => {
    expect({ ...limits }).toEqual({
      PAUSED_FOR,
      MAX_SIGNATURE_FELTS,
      MAX_SLIPPAGE: MAX_SLIPPAGE_PPM / PPM,
      DEFAULT_SLIPPAGE: DEFAULT_SLIPPAGE_PPM / PPM,
      STEP_NAMES,
      FINDING_CODES,
    });
  });
});
