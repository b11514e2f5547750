import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { excludingMigrations } from '../../src/migrations/compatibility.js';
import { frozenMigrations } from '../../src/migrations/frozen-migrations.js';

/**
 * SHA-256 of each released migration. A new migration adds a line; existing lines never change,
 * because databases record these hashes and reject a release with different hashes.
 */
const RELEASED = {
  sqlite: {
    '0001_submission_machine': '103aca5b9a0fc1571d64a4df247177e5e809685ec159fd9029ce76d8aa92c6e0',
    '0002_quotes': 'aa64540316aeef7836492b3cf92258d60a67e1d9cebcda0e013012aac7faa3ad',
    '0003_transfers': 'a71d50ccb6a97fed23a9da0513d248982c02f9a90175bb3d1bb34814dfd50d58',
    '0004_money': 'bf43195b8e77344154a32af28898a99ee99b541da84ba8362fa2258a0bf68dba',
    '0005_settlements': '692c984f63cbe931b02fa5f4cbf82fecd99d7009663e16cc5e3e38ff1abf70af',
    '0006_transfer_output': '67e4a8836acccfaa5139d4fa8267641c519346d78c243e90b1b1eae4ff9263f0',
    '0007_gas': '5bf73d13cf498a92e86d1e7a35e0dcc480ce7c790e15451093abbad7a57c18b4',
    '0008_swap_pins': 'ae2c7e51732fb8a2921e2ab49483fcddf6c29b0ff31e69c16f43d3c722a110a1',
    '0009_quote_uses': 'a2d2d8e1155c04043a1c05c212984515404e21a61db66de71bdad13d072d652f',
    '0010_swap_verdicts': '97e5aa5ad4637de98a93d0aa0eebd621dc6e1d83e19b8b68720d9db2b39985e8',
    '0011_migration_hashes': '39c78c2233c7aefc3b41ffedfe2442f058527e85dad7467ba82eb53d2b12c90d',
    '0012_purposes': '667ee8b7af3604cb1818a0386b533de9720c0f3af2aac73537de3979a82d4e14',
    '0013_keeper': '472b94f1927d8c6804075eb82fe0ac55403ba30f7dcb22fd05272067d22dca4c',
    '0014_purchases': '90a96068514846adcc5a7921e87c99ae861722f650e16182438349bd30f087ca',
    '0015_leverage': '380870e6de1ec01546882ee7c30d25495ce69adb7940d36237572224ead19ee6',
    '0016_task_reasons': '9f94b15d1d8610cd8b40059578053d15dba02d35deffdc9d2f9d4bc8d3313c43',
    '0017_claim_nodes': '571d31361ad6ba43e94488be122ed2a6c531e121668e673c0d8093020c6a7873',
    '0018_operators': '0a39c184fd56e82a18456182cd0220cd566c1d7a1aa43c1668a4537b335c6760',
    '0019_webhooks': '98c24ab0cffd92bb4b36a700ab88dd339cdf6c55dbf0bab7f2a6ee5f24e3b54b',
    '0020_canary': 'e9a4e0489bc90bd3bee2178225e53ebb82f5140051a68bd111416151a519c33d',
    '0021_archive': '814b0d843bfabf07c60cfa095615a48bcf282c1cb15b49f065d5b65c1aee5cf8',
    '0022_undelivered_webhooks': '414af08ebf62e29d696a49e58fda954e4db2487feb290fd41e33b5bffb5e5788',
    '0023_envelopes': '85c874054be4f4f51ea75fac0b2c4fa822511c15fd0764f56c5007350845e6c9',
    '0024_swap_bounds': 'cf1299d991d7b24fb01b9333357261ce3b4233a1a59dcca79f38208c451c9775',
    '0025_possible_copies': '7214941eac534acf58dbf9087afcb797c0a9989e9075d1ca6fe8897eeb9f2af9',
    '0026_instances': 'bd716135b48f3ae7522c1ec78ee10f0f2002e549d37013cdc1d12dd4c918d3c7',
    '0027_transfer_terms': 'ee335b9264d5ec154ecfc5c8b92d5753de9d0568c9cd6791825c0226382c5673',
    '0028_reward_rates': '915ca2b2aaef512d488bdc65d8bdbc95b169e0bfdbd10a28a20784113026f440',
    '0029_recipient_gas': '1a8461ef587fcf9dc2e08e997e2b1b9f87f2dd05bf8dff0756fd7bb45e05f93f',
    '0030_fair_lanes': '9a000285dfba8265af94dfbc49a171a6ecc2f6b91d8be17b7218cbe48f7139b1',
    '0031_private_actions': '5098f49536de2178e8e1099f6c15ca09a4af162ceee95513a5f237bbf3f3e347',
  },
  postgres: {
    '0001_submission_machine': '63ad811cdc8db5d48555e33cc01d8d44162120afa2b937e99194771465044348',
    '0002_quotes': '2bf6451560164c55fb281f632486a559fe02dd91b173c8d989c1589d7fad8157',
    '0003_transfers': 'c97d2212c7f668a3ececcdc9b4401cccedb23c250408082b5ad68237a9ad822d',
    '0004_money': 'fa10a3567b611da8bc57f9ed55430cb45990259cfa92e5043a4c0aacd5ea676c',
    '0005_settlements': 'c02a192e07aa99a582d6e4726c9820da12143927d560a3305f069d98bc3b6488',
    '0006_transfer_output': '67e4a8836acccfaa5139d4fa8267641c519346d78c243e90b1b1eae4ff9263f0',
    '0007_gas': '84ce7233099d9c2f795e9df877e6cb2bc9873992ec42678c5059cfa462227cec',
    '0008_swap_pins': '844e0b9eb04d479acbddb8aa9215a96c7d8446c71621a49a321927f613e8e046',
    '0009_quote_uses': 'b4978b3f991af2e3b0b13a80ac700426c3cbf8a9bb69893346eb1c40b8510ffa',
    '0010_swap_verdicts': '7a152de9bcf05db17566a754516da1cde29dc0d929325d356ab1be064b121e83',
    '0011_migration_hashes': '376e6997ae12d166e1619ae0f8def68706be26ac44fa4b84bbd1d0e7d9791092',
    '0012_purposes': '83dcaadbe5a04fff32433529e6c849cace6df9b520543bca9829c0cc118d2a8d',
    '0013_keeper': '863eca46342489226ef0c08ccf88d182cc4ed56e8274c6155af668816b80916f',
    '0014_purchases': '3ff3218dd5cea5427903702d82dfdfa58ba11bdbb1b91be2a757293bbaadde6e',
    '0015_leverage': '68201a23bbd8be2f41777adb23dd8b00d329d19dbc20b14963851824ecdb0d96',
    '0016_task_reasons': '78ca3bde288796c5392c505f02282bd5a68355074af4b5bb00fa73186f021e4a',
    '0017_claim_nodes': '571d31361ad6ba43e94488be122ed2a6c531e121668e673c0d8093020c6a7873',
    '0018_operators': '8e0a7b1f04a301b0d4b6d8b5f43e919e6f6355cc673ceaee4d02b67a1245dd45',
    '0019_webhooks': '7a16d3eeecce53e6adabe6e93d9fb93420a45cd22caaefffca3115e4be2da3be',
    '0020_canary': '43583d83178af4b2ec579fa7affa5743431811c98371ea6eab2ce9b9fad041d8',
    '0021_archive': 'e85edd6126cf388cfaa49b3a098343c7aabcc47b21b44fde6c862bd2c0327ed2',
    '0022_undelivered_webhooks': '414af08ebf62e29d696a49e58fda954e4db2487feb290fd41e33b5bffb5e5788',
    '0023_envelopes': '89d7b429ab89ca224d97ef5bfa59b016182f3606e4f7251d4bf43f0a0c47b443',
    '0024_swap_bounds': 'cf1299d991d7b24fb01b9333357261ce3b4233a1a59dcca79f38208c451c9775',
    '0025_possible_copies': 'ef682676c5b2f78e7b047433704141352ff5856b14b0ddd7a4d0f0d1c78a90e1',
    '0026_instances': 'f13e5db3d52268c7d2526ec038f32d8a0d014c260261d36e85f10775c6eef1ac',
    '0027_transfer_terms': '4c34311c1933a082787f24bb8578e496839e7f409196131c089a273eebec5c49',
    '0028_reward_rates': '6e01b5f230c809920da83cc4f3c808d9ca50dc2e525544d3cb2560c2e63c4350',
    '0029_recipient_gas': '1a8461ef587fcf9dc2e08e997e2b1b9f87f2dd05bf8dff0756fd7bb45e05f93f',
    '0030_fair_lanes': '6cb2da4178da7ffd257114420f6d588aa8f0ef0f24a61539926bed4726ca242f',
    '0031_private_actions': 'cf537a8f69fda488cd750ea27484aa0240bcb4b8a74be01510237f9042e2681e',
  },
} as const;

describe.each(['sqlite', 'postgres'] as const)('migrations for %s', (dialect) => {
  const migrations = frozenMigrations(dialect);

  it('the migrations of each database dialect equal the released migrations, in the same order', () => {
    expect(migrations.map(({ name, sha256 }) => [name, sha256])).toEqual(
      Object.entries(RELEASED[dialect]),
    );
  });

  it('O3: each migration from number 0026 on states the oldest schema that may run concurrently', () => {
    const stating = migrations.filter(({ schema }) => schema >= 26);
    const folder = new URL('../../migrations/', import.meta.url);
    for (const { name, schema, runsBeside } of stating) {
      const text = readFileSync(new URL(`${name}.${dialect}.sql`, folder), 'utf8');
      expect([name, text.split('\n')[0]]).toEqual([
        name,
        `-- Runs beside: ${String(runsBeside).padStart(4, '0')}`,
      ]);
      expect(runsBeside).toBeLessThanOrEqual(schema);
    }
  });

  it('O3 a migration that does not state an oldest permitted schema excludes all older instances', () => {
    for (const { schema, runsBeside } of migrations.filter((each) => each.schema < 26))
      expect(runsBeside).toBe(schema);
  });

  it('O3 migration 0031 excludes all older instances, which would send private actions without proofs', () => {
    const released = migrations.filter(({ schema }) => schema < 31);
    const added = migrations.flatMap(({ name, schema, runsBeside }) =>
      schema === 31 ? [{ name, runsBeside }] : [],
    );
    expect(excludingMigrations(added, released)).toEqual(['0031_private_actions']);
  });

  it('the text of each migration is split completely into SQL statements', () => {
    for (const { name, statements } of migrations) {
      expect([name, statements.length > 0]).toEqual([name, true]);
      for (const statement of statements)
        expect(statement).toMatch(/^(?:--.*\n|\s)*(?:create|alter|drop|insert|update|with)\s/);
    }
  });
});

describe('two dialects of one migration', () => {
  it('O3 a migration states the same oldest schema for SQLite and PostgreSQL', () => {
    const [sqlite, postgres] = (['sqlite', 'postgres'] as const).map((dialect) =>
      frozenMigrations(dialect).map(({ name, runsBeside }) => ({ name, runsBeside })),
    );
    expect(sqlite).toEqual(postgres);
  });
});
