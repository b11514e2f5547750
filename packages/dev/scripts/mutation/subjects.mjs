/**
 * What is mutated: the guards of the machine, the lanes, the admission and the fees. Files are
 * paths inside the package.
 */
export const subjects = [
  {
    name: 'machine',
    package: 'submission-core',
    about: 'the transition table: which event may write which rows',
    files: ['src/domain/**/*.ts'],
    // A thousand random runs per mutant, and a random kill is no named test.
    leaveOut: ['property/', 'model/'],
  },
  {
    name: 'lanes',
    package: 'submission-core',
    about: 'leases, nonces, sending, replacement, evidence, bounded queue',
    files: [
      'attempt-hints',
      'dispatcher',
      'follow-nonce',
      'lane-*',
      'prepare-attempt',
      'refusal-hints',
      'sender',
      'stuck-watch',
      'submission-service',
    ].map((file) => `src/application/${file}.ts`),
    leaveOut: ['property/', 'model/'],
  },
  {
    name: 'admission',
    package: 'relayer-core',
    about: 'the ladder of checks, claims, fair slots, budgets, breakers',
    files: [
      'src/application/admission/*.ts',
      ...['exclusive-claims', 'fair-slots', 'pool-guard', 'proof-relay'].map(
        (file) => `src/application/${file}.ts`,
      ),
      'src/domain/pool-circuit-breaker.ts',
    ],
    // The worker's suite starts a thread for every mutant.
    leaveOut: ['property/', 'contract/worker-'],
  },
  {
    name: 'fees',
    package: 'relayer-core',
    about: 'what a withdrawal costs, what it must pay, quotes and their citation',
    files: [
      ...[
        'ended-money',
        'fee',
        'fee-estimate',
        'fee-estimate-reply',
        'market-price',
        'money',
        'pool-money',
        'price',
        'quote-citation',
        'unprofitable',
      ].map((file) => `src/domain/${file}.ts`),
      ...['estimate-fee', 'issue-quote', 'quote-citations'].map(
        (file) => `src/application/${file}.ts`,
      ),
    ],
    leaveOut: ['contract/worker-'],
  },
];

/** Kinds of mutants that neither take a guard away nor shift it. */
export const LEFT_ALONE = [
  'ArithmeticOperator',
  'ArrayDeclaration',
  'ArrowFunction',
  'AssignmentOperator',
  'ObjectLiteral',
  'Regex',
  'StringLiteral',
  'UnaryOperator',
  'UpdateOperator',
];
