import { describe, expect, it } from '@jest/globals';
import { settingsFinding } from '../../src/doctor/checks/settings.js';

const MALFORMED = 'must be letters, digits and the signs - . _ ~ + / with = at the end';

describe('the fix of a problem of the settings', () => {
  it.each([
    ['OPERATOR_API_TOKEN', 'OPERATOR_API_TOKENS'],
    ['CURATOR_API_TOKEN', 'CURATOR_API_TOKENS'],
    ['STARKNET_RPC_URL', 'STARKNET_RPC_URLS'],
  ])(
    'R1: the fix for the former setting %s contains the name of the setting that replaces it',
    (former, name) => {
      const { subject, message, fix } = settingsFinding(`${former}: ${MALFORMED}`);
      expect([subject, message]).toEqual([former, `${former}: ${MALFORMED}`]);
      expect(fix).toMatch(
        new RegExp(
          `^Correct ${former}: set ${name} in its place, and remove ${former}\\. ${name}: `,
        ),
      );
    },
  );

  it('R1: the fix for an invalid value of a current setting repeats the setting’s format', () => {
    const { fix } = settingsFinding('OPERATOR_API_TOKENS: must be JSON: {"name": "token"}');
    expect(fix).toMatch(/^Correct OPERATOR_API_TOKENS: Bearer tokens .*\{"name": "token"\}/);
  });

  it('R1: the fix for a removed setting is to remove the setting', () => {
    const problem = 'SMALL_BATCH_BELOW: is no longer a setting: it is always 3; remove it';
    expect(settingsFinding(problem).fix).toBe(
      'Correct SMALL_BATCH_BELOW: this release has no such setting, so remove it.',
    );
  });
});
