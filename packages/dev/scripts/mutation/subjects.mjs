/**
 * Subjects of the mutation run: the guards of the submission machine, the lanes, the admission
 * checks and the fees. File paths are relative to the package.
 */
export const subjects = [
  {
    name: 'machine',
    package: 'submission-core',
    about: 'the transition table: which event may write which rows',
    files: ['src/domain/**/*.ts'],
    // A property test would run a thousand times per mutant. In addition, a test with fixed values
    // must kill each mutant.
    leaveOut: ['property/'],
  },
  {
    name: 'lanes',
    package: 'submission-core',
    about: 'leases, nonces, sending, replacement, evidence, bounded queue',
    files: [
      'lane/attempt-cache',
      'lane/follow-nonce',
      'lane/lane',
      'lane/lane-*',
      'lane/recent-heights',
      'lane/rejection-counters',
      'lane/sender',
      'lane/settle-nonce',
      'engine/dispatcher',
      'engine/housekeeping',
      'engine/stuck-nonce-monitor',
      'service/submission-service',
    ].map((file) => `src/application/${file}.ts`),
    leaveOut: ['property/'],
  },
  {
    name: 'admission',
    package: 'relayer-core',
    about: 'the admission checks, locks, fair slots, budgets, breakers',
    files: [
      'src/withdrawals/application/{admission-*,check,checks,relay-pipeline}.ts',
      'src/withdrawals/application/withdrawal-admission.ts',
      'src/relay/application/{exclusive-locks,fair-semaphore}.ts',
      'src/circuit-breaker/{application,domain}/pool-circuit-breaker.ts',
    ],
    // The tests of the worker would start a thread for every mutant.
    leaveOut: ['property/', 'contract/worker-'],
  },
  {
    name: 'fees',
    package: 'relayer-core',
    about: 'cost of a withdrawal, fee that it must pay, quotes and their citation',
    files: [
      'src/circuit-breaker/domain/{settled-attempt,money,pool-pnl}.ts',
      'src/fees/domain/{fee,fee-estimate,fee-estimate-reply}.ts',
      'src/fees/domain/{quote-citation,unprofitable}.ts',
      'src/fees/application/{estimate-fee,issue-quote,quote-redemption}.ts',
    ],
    leaveOut: ['property/', 'contract/worker-'],
  },
  {
    name: 'prices',
    package: 'market-core',
    about: 'agreement of prices, costs in the fee token',
    files: ['src/domain/{market-price,fee-token}.ts'],
    leaveOut: [],
  },
];

/** Mutators that are excluded, because they neither remove a guard nor change its limit. */
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
