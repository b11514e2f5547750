export {
  ExecutePrivateSwap,
  type ExecutedPrivateSwap,
  type PrivateSwapInput,
  type ProposedSwap,
  type PrivateSwapPolicy,
  type PrivateSwapPorts,
  type SwapInForce,
} from './application/execute-private-swap.js';
export {
  FillSwapPins,
  type FillSwapPinsPorts,
  type FillSwapPinsSettings,
} from './application/fill-swap-pins.js';
export {
  QuoteSwap,
  type QuoteSwapInput,
  type QuoteSwapPolicy,
  type QuoteSwapPorts,
  type QuotedSwap,
} from './application/quote-swap.js';
export { SwapOutcomes, type SwapOutcome } from './application/swap-outcomes.js';
export {
  SwapRevalidator,
  type SwapRevalidatorPolicy,
  type SwapRevalidatorPorts,
} from './application/swap-revalidator.js';
export { slippageOutOfRange, type PayoutRule, type SwapTerms } from './domain/private-swap.js';
export { SwapPins, type Pinning } from './ports/swap-pins.port.js';
export { SwapRecords, type KeptSwapCall } from './ports/swap-records.port.js';
