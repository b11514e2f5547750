import { one } from '../../adapter-one/src/index.js';
import { shop } from '../../../apps/shop/src/index.js';
import { fake } from './testing/fake.js';

export const planted = [one, shop, fake];
