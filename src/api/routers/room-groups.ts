import { createRoomGroup, roomGroupsOfListing } from '../../../persistence/jobs/room-groups.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { PUBLIC_ERRORS, type PublicErrorCode } from '../../errors/public-errors.ts';
import {
  createGroupInput,
  listGroupsInput,
  listGroupsOutput,
  roomGroup,
  toRoomGroup,
} from '../../wire/room-groups.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `ai.createRoomGroup`, `ai.listRoomGroups`. */
export function roomGroupProcedures({ pool, chance, clock }: Services) {
  return {
    createRoomGroup: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'IMAGE_NOT_ORIGINAL', 'ROOM_GROUPS_FULL'] })
      .input(createGroupInput)
      .output(roomGroup)
      .mutation(async ({ ctx, input: { propertyId, ...given } }) => {
        const group = { groupId: chance.id(), ...given, createdAt: clock.now() };
        const answer = toRoomGroup(group);
        const made = await createRoomGroup(pool, { ...group, propertyId, agentId: ctx.user.id }, (client) =>
          ctx.keepAnswer(client, answer),
        );
        switch (made.outcome) {
          case 'made':
            return answer;
          case 'missing':
            throw new PublicError('NOT_FOUND');
          case 'missing-photos':
            throw photosRefused('NOT_FOUND', made.indexes);
          case 'not-originals':
            throw photosRefused('IMAGE_NOT_ORIGINAL', made.indexes);
          case 'full':
            throw new PublicError('ROOM_GROUPS_FULL');
        }
      }),
    listRoomGroups: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listGroupsInput)
      .output(listGroupsOutput)
      .query(async ({ ctx, input: { propertyId } }) => {
        const groups = found(await roomGroupsOfListing(pool, { propertyId, agentId: ctx.user.id }));
        return { items: groups.map(toRoomGroup) };
      }),
  };
}

function photosRefused(code: PublicErrorCode, indexes: readonly number[]): PublicError {
  const fields = indexes.map((index) => [`originalImageIds.${index}`, [PUBLIC_ERRORS[code].message]]);
  return new PublicError(code, { fields: Object.fromEntries(fields) });
}
