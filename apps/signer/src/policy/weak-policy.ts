import type { Policy } from './policy.js';

const HOURS = 24n;
/** L2 gas price above which a limit is weak, in fri: ten times the maximum of a drafted policy. */
const HIGH_L2_PRICE_FRI = 1_000_000_000_000n;

/** Returns one sentence for each weak limit of the policy, with the limit's path in the file. */
export function weakPolicy({ budget, accounts }: Policy): readonly string[] {
  const limits = [
    { place: 'budget', limit: budget },
    ...accounts.flatMap(({ budget: own }, index) =>
      own === undefined ? [] : [{ place: `accounts[${index}].budget`, limit: own }],
    ),
  ];
  const budgets = limits
    .filter(({ limit: { perHourFri, perDayFri } }) => perDayFri >= HOURS * perHourFri)
    .map(({ place }) => `${place}: perDayFri is 24 times perHourFri or more, so it bounds no day`);
  const prices = accounts.flatMap(({ bounds: { l2Gas } }, index) =>
    l2Gas.maxPriceFri > HIGH_L2_PRICE_FRI
      ? [
          `accounts[${index}].bounds.l2Gas: maxPriceFri is above ${HIGH_L2_PRICE_FRI}: one transaction may pay ten times the ceiling of a draft`,
        ]
      : [],
  );
  return [...budgets, ...prices].map((sentence) => `SIGNER_POLICY: ${sentence}`);
}
