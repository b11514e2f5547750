export {
  Child,
  EndedEarly,
  jsonLine,
  type ChildOptions,
  type Ending,
  type Variables,
} from './child.js';
export { eventually } from './eventually.js';
export { matchesLabels, unmutedAlerts, type AlertLabels, type InhibitRule } from './inhibition.js';
export { hashInvoke } from './hash-invoke.js';
export { keeperVariables } from './keeper-variables.js';
export { SandboxChain, type SandboxUrls } from './sandbox-chain.js';
export { Service, type Answer, type WithdrawOptions, type WithdrawalBody } from './service.js';
export { signerListens, signerUrl, startSigner, withdrawalPolicy } from './signer.js';
export {
  keyed,
  ledgerIn,
  neighbourVariables,
  serviceEnvironment,
  Stack,
  WITHOUT_LIMITS,
  writeJson,
  type KeyedAccount,
  type ServiceSettings,
  type StackOptions,
} from './stack.js';
