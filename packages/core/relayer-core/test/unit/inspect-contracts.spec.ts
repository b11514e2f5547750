import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type LogFields, type Logger } from '@sotto/kernel';
import { InspectContracts, type InspectionPolicy } from '@sotto/relayer-core';
import { FakeContractClasses } from '@sotto/relayer-core/testing';

const [LANE, POOL, VERIFIER] = [toFelt('0x1'), toFelt('0x2'), toFelt('0x3')];
const [ACCOUNT_CLASS, POOL_CLASS, VERIFIER_CLASS, OTHER_CLASS] = [
  toFelt('0xa'),
  toFelt('0xb'),
  toFelt('0xc'),
  toFelt('0xd'),
];

interface Line {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

let classes: FakeContractClasses;
let lines: Line[];

const at =
  (level: string) =>
  (fields: LogFields, message: string): void =>
    void lines.push({ level, fields, message });

function inspection(policy: Partial<InspectionPolicy> = {}): InspectContracts {
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return new InspectContracts(
    classes,
    {
      contracts: [
        { role: 'account (relay)', address: LANE },
        { role: 'pool', address: POOL },
      ],
      verifiers: [{ address: VERIFIER, classHash: VERIFIER_CLASS }],
      classesOfKey: [VERIFIER_CLASS],
      ...policy,
    },
    logger,
  );
}

beforeEach(() => {
  lines = [];
  classes = new FakeContractClasses();
  classes.deploy(LANE, ACCOUNT_CLASS);
  classes.deploy(POOL, POOL_CLASS);
  classes.deploy(VERIFIER, VERIFIER_CLASS);
});

describe('S14 the inspection of the pools’ verifiers', () => {
  it('finds no problem if the pools’ verifiers match the verification key and the profile', async () => {
    const contracts = inspection();
    expect(contracts.problem()).toBe('VERIFIERS_NOT_LOOKED_AT');
    await contracts.execute();
    expect([contracts.problem(), lines]).toEqual([null, []]);
  });

  it.each([
    ['VERIFIER_CLASS_NOT_OF_KEY', 'is of another key', { classesOfKey: [OTHER_CLASS] }],
    [
      'VERIFIER_CLASS_UNEXPECTED',
      'is not of the class in the profile',
      { verifiers: [{ address: VERIFIER, classHash: OTHER_CLASS }] },
    ],
    [
      'VERIFIER_NOT_DEPLOYED',
      'does not stand',
      { verifiers: [{ address: toFelt('0xdead'), classHash: null }] },
    ],
  ])('reports the problem %s if a verifier %s', async (problem, _what, policy) => {
    const contracts = inspection(policy);
    await contracts.execute();
    await contracts.execute();
    expect(contracts.problem()).toBe(problem);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ problem }) }),
    ]);
  });

  it('reports a verifier whose class was replaced while the service runs', async () => {
    const contracts = inspection();
    await contracts.execute();
    classes.deploy(VERIFIER, OTHER_CLASS);
    await contracts.execute();
    expect(contracts.problem()).toBe('VERIFIER_CLASS_UNEXPECTED');
    classes.deploy(VERIFIER, VERIFIER_CLASS);
    await contracts.execute();
    expect(contracts.problem()).toBeNull();
  });

  it('the inspection compares the class hash of a verifier only with a configured class hash', async () => {
    const unnamed = inspection({
      verifiers: [{ address: VERIFIER, classHash: null }],
      classesOfKey: [],
    });
    await unnamed.execute();
    expect(unnamed.problem()).toBeNull();
    expect(inspection({ verifiers: [] }).problem()).toBeNull();
  });

  it('the last result of the inspection does not change if the node does not respond', async () => {
    const contracts = inspection();
    await contracts.execute();
    classes.fail();
    await expect(contracts.execute()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(contracts.problem()).toBeNull();
  });
});

describe('S13 the inspection of classes', () => {
  it.each([
    ['1.6.0', [1, 6, 0]],
    ['0.9.9', [0, 9, 9]],
    [null, null],
  ] as const)(
    'logs a warning with the cost factor for a class compiled to Sierra %s, once per class',
    async (sierra, version) => {
      classes.deploy(LANE, ACCOUNT_CLASS, version);
      const contracts = inspection();
      await contracts.execute();
      await contracts.execute();
      expect(lines).toEqual([
        {
          level: 'warn',
          fields: { role: 'account (relay)', address: LANE, classHash: ACCOUNT_CLASS, sierra },
          message: expect.stringContaining('3.5 times as much gas'),
        },
      ]);
      expect(lines[0]?.message).toContain('1.7.0');
      expect(classes.read).toHaveLength(3);
    },
  );

  it.each([[[1, 7, 0]], [[1, 7, 1]], [[1, 10, 0]], [[2, 0, 0]]] as const)(
    'logs no warning for a class compiled to Sierra %j',
    async (version) => {
      classes.deploy(POOL, POOL_CLASS, version);
      await inspection().execute();
      expect(lines).toEqual([]);
    },
  );
});
