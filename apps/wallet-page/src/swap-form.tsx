import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActionForm } from './action-form.js';
import type { Token } from './note-card.js';
import { Fee, recipientIn, useFee, type PayingProps } from './paying.js';
import { WITHDRAWAL_SHARE } from './wallet.js';
import { amountOf, amountText, inTokens, offerText, type SwapOffer } from './words.js';

/** Form of a private swap. Returns null if the pool's notes can't be swapped. */
export function SwapForm(props: PayingProps): JSX.Element | null {
  const outputs = props.wallet.outputsOf(props.card.pool);
  const first = outputs.find(({ symbol }) => symbol === 'USDC') ?? outputs[0];
  return first === undefined ? null : <Swap {...props} outputs={outputs} first={first} />;
}

function Swap({
  card,
  wallet,
  recipient,
  outputs,
  first,
}: PayingProps & { readonly outputs: readonly Token[]; readonly first: Token }): JSX.Element {
  const chosen = useSignal(first);
  const least = useSignal('');
  const offered = useSignal<SwapOffer | null>(null);
  const fee = useFee(wallet, card, 'private_swap');
  const output = chosen.value;
  useEffect(() => {
    least.value = '';
    offered.value = null;
    let isChosen = true;
    // If no quote is available, the user must enter the minimum. The quote does not replace a
    // minimum that the user has already typed.
    const offer = async (): Promise<void> => {
      const amounts = await wallet.swapOffer(card.pool, output).catch(() => null);
      if (!isChosen) return;
      offered.value = amounts;
      if (amounts !== null && least.value === '') least.value = amountText(amounts.least, output);
    };
    void offer();
    return () => {
      isChosen = false;
    };
  }, [output]);
  const minAmountOut = amountOf(least.value, output);
  const swap = async (): Promise<void> => {
    if (minAmountOut === null || minAmountOut === 0n)
      throw new Error(`the minimum is not an amount of ${output.symbol}`);
    const maxFee = fee.value?.most ?? null;
    await wallet.swap(card, { output, minAmountOut, recipient: recipientIn(recipient), maxFee });
  };
  const fields = (
    <>
      <label>
        Swap into
        <select
          value={output.symbol}
          onInput={({ currentTarget: { value } }) =>
            (chosen.value = outputs.find(({ symbol }) => symbol === value) ?? output)
          }
        >
          {outputs.map(({ symbol }) => (
            <option key={symbol}>{symbol}</option>
          ))}
        </select>
      </label>
      <label>
        At least, in {output.symbol}
        <input
          value={least}
          inputmode="decimal"
          autocomplete="off"
          onInput={({ currentTarget }) => (least.value = currentTarget.value)}
        />
      </label>
    </>
  );
  return (
    <ActionForm name="Swap privately" action={swap} problem={card.problem} fields={fields}>
      {offered.value !== null && (
        <span class="quiet small">{offerText(offered.value, output)}</span>
      )}
      <span class="quiet small">
        The recipient above is paid
        {minAmountOut === null
          ? '.'
          : `, less at most ${inTokens(minAmountOut / WITHDRAWAL_SHARE, output)} for the payment.`}
      </span>
      <Fee terms={fee.value} card={card} />
    </ActionForm>
  );
}
