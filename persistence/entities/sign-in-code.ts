import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A mailed code for the address, as a keyed hash. `holder` is the hash of the cookie that it was asked with. */
export const SignInCodeEntity = defineEntity({
  name: 'SignInCode',
  tableName: 'sign_in_codes',
  properties: {
    email: p.text().primary(),
    holder: p.text().primary(),
    network: p.text(),
    codeHash: p.text().hidden(),
    tries: p.integer().default(0),
    looseTries: p.integer().default(0),
    askedAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
export type SignInCode = InferEntity<typeof SignInCodeEntity>;
