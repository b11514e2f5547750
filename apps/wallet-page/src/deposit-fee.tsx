import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PoolInUse } from './note-card.js';
import type { FeeTerms, Wallet } from './wallet.js';
import { inTokens } from './words.js';

/** Fee that a withdrawal from the pool costs now, which the user should know before the deposit. */
export function DepositFee({
  wallet,
  pool,
}: {
  readonly wallet: Wallet;
  readonly pool: PoolInUse;
}): JSX.Element {
  const fee = useSignal<FeeTerms | null>(null);
  useEffect(() => {
    let isCurrent = true;
    fee.value = null;
    wallet.feeOf(pool, 'withdraw').then(
      (terms) => isCurrent && (fee.value = terms),
      () => undefined,
    );
    return () => (isCurrent = false);
  }, [pool]);
  return (
    <p class="quiet small">
      You deposit {inTokens(pool.amount, pool.token)}.{' '}
      {fee.value === null
        ? 'The fee of the withdrawal is not known now.'
        : `A withdrawal costs ${inTokens(fee.value.now, pool.token)} now, so the recipient gets ${inTokens(pool.amount - fee.value.now, pool.token)}. The fee may change until then.`}
    </p>
  );
}
