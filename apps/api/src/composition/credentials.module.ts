import type { Settings } from '@sotto/relayer';
import { AppModule } from '@sotto/relayer/composition';
import { CuratorTokens, OperatorTokens } from '../http/credentials.js';

/** What opens the routes that are not for everyone. */
export const credentialsModule = ({
  curator,
  operator,
}: Pick<Settings, 'curator' | 'operator'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(CuratorTokens).toConstantValue(new CuratorTokens(curator.tokens));
    bind(OperatorTokens).toConstantValue(new OperatorTokens(operator.tokens));
  });
