import { imagesForAgent } from '../../../persistence/images/image-queries.ts';
import { alterPhoto } from '../../../supervisors/actors/photo-alteration.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { declareAlteredInput, declareAlteredOutput } from '../../wire/images.ts';
import { viewOf } from '../../wire/text.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `properties.declareAltered` (docs/contract.md#altered-photos). */
export function alteredPhotoProcedures({ pool, actorSystem, clock, search, logger }: Services) {
  return {
    declareAltered: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'ALTERATION_STANDS', 'NOT_YET_DURABLE'] })
      .input(declareAlteredInput)
      .output(declareAlteredOutput)
      .mutation(async ({ ctx, input: { imageId, kind, originalImageId = null } }) => {
        const agentId = ctx.user.id;
        const alteration = {
          imageId,
          kind,
          originalImageId,
          agentId,
          by: `user:${agentId}`,
          at: clock.now(),
        };
        const read = async () => found((await imagesForAgent(pool, { imageIds: [imageId], agentId }))[0]);
        await read();
        const result = await alterPhoto(actorSystem, alteration);
        switch (result) {
          case 'missing':
            throw new PublicError('NOT_FOUND');
          case 'stands':
            throw new PublicError('ALTERATION_STANDS');
          case 'staged':
            throw refused('imageId', 'This picture was staged here, and is labeled already. Name a photo.');
          case 'not-original':
            throw refused('originalImageId', 'This is not an unaltered photo of the same listing.');
        }
        const photo = await read();
        if (result === 'changed') {
          search.propertyChanged(photo.propertyId);
          logger.info(
            { event: 'photo.alteration_declared', imageId, kind, userId: agentId },
            'photo declared',
          );
        }
        return viewOf(declareAlteredOutput, photo);
      }),
  };
}

const refused = (field: string, message: string): PublicError =>
  new PublicError('INVALID_INPUT', { fields: { [field]: [message] } });
