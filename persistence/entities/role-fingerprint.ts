import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The hash of the settings that must agree between roles, as each node last published it (decisions.md section 6). */
export const RoleFingerprintEntity = defineEntity({
  name: 'RoleFingerprint',
  tableName: 'role_fingerprints',
  properties: {
    role: p.text().primary(),
    nodeId: p.text().primary(),
    hash: p.text(),
    publishedAt: p.datetime().defaultRaw('now()'),
  },
});
export type RoleFingerprint = InferEntity<typeof RoleFingerprintEntity>;
