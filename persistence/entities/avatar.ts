import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';
import { UserEntity } from './user.ts';

/**
 * The picture that a person has uploaded of themselves; its id is in the address, so that the address does not reveal
 * the person.
 */
export const AvatarEntity = defineEntity({
  name: 'Avatar',
  tableName: 'avatars',
  properties: {
    id: p.uuid().primary(),
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').unique(),
    objectKey: p.text().unique(),
    checksum: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type Avatar = RowOf<typeof AvatarEntity>;
