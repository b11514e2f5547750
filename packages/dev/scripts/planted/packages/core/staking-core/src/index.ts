import { fake } from '../../relayer-core/src/testing/fake.js';

export const staking = fake;
