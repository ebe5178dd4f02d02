import { defineEntity, p } from '@mikro-orm/core';
import { UserEntity } from './user.ts';

const ACCOUNT_CODE_PURPOSES = ['deletion', 'export'] as const;
export type AccountCodePurpose = (typeof ACCOUNT_CODE_PURPOSES)[number];

/** The code that was mailed to a person last for something that needs one, as a keyed hash. */
export const AccountCodeEntity = defineEntity({
  name: 'AccountCode',
  tableName: 'account_codes',
  properties: {
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    purpose: p.enum(ACCOUNT_CODE_PURPOSES).primary(),
    codeHash: p.text().hidden(),
    tries: p.integer().default(0),
    expiresAt: p.datetime(),
  },
});
