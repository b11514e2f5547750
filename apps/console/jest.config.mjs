import preset from '../../packages/dev/scripts/jest.preset.mjs';

const [[pattern, [transformer, options]]] = Object.entries(preset.transform);

export default {
  ...preset,
  testMatch: ['<rootDir>/test/unit/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    [pattern]: [transformer, options],
    '^.+\\.tsx$': [
      transformer,
      {
        ...options,
        jsc: {
          ...options.jsc,
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
      },
    ],
  },
};
