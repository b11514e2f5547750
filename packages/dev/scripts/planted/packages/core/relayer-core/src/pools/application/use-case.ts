import ts from 'typescript';
import { one } from '../../../../../adapters/one/src/index.js';
import { bridge } from '../../../../bridge-core/src/index.js';
import { shop } from '../../../../../../apps/shop/src/index.js';
import { helper } from '../../drawer/helper.js';
import { fake } from '../../testing/fake.js';
import { missing } from '../missing.js';

export const useCase = [ts, one, bridge, shop, helper, fake, missing];
