import type { Statement } from './actor-kind.ts';
import { definitionOf } from './actor-kinds.ts';
import { OF_ORIGINAL } from './actor-statements.ts';
import type { ActorWrite } from './actor-store.ts';
import { type ImageReviewActor, imageReviewKind } from './rows/image-row.ts';

/** CTEs of one write, one of them `moved`: the id of the row that it wrote, if `onlyIf` is true. */
export function statementOf(one: ActorWrite, onlyIf = 'true'): Statement {
  const { at } = one.entry.event;
  if (one.write === 'createStagedImage') return ofStagedImage(one, onlyIf);
  const { rows } = definitionOf(one.actor.kind);
  return one.write === 'create'
    ? rows.insert(one.actor, at, { where: [onlyIf] })
    : rows.update({ ...one.actor, ...one.next } as never, at, onlyIf);
}

function ofStagedImage(
  { actor, entry, made }: Extract<ActorWrite, { write: 'createStagedImage' }>,
  onlyIf: string,
): Statement {
  const {
    job,
    attempt: { context },
  } = made;
  const { details } = job;
  const { objectKey } = context;
  if (objectKey === null) throw new Error(`the attempt of ${actor.id} has no object`);
  const image: ImageReviewActor = {
    ...actor,
    // The original's values are used instead (`OF_ORIGINAL`).
    propertyId: '',
    styledFromId: details.originalImageId,
    canonicalStyle: details.canonicalStyle,
    roomType: details.canonicalRoomType,
    jobId: job.id,
    objectKey,
  };
  const given = {
    isMain: false,
    isStyled: true,
    style: details.canonicalStyle,
    // Never a signed URL, only the keys of the objects that were sent (docs/contract.md#output-checks).
    providerInputs: JSON.stringify({
      inputImageKey: details.providerInputKey,
      referenceImageKey: details.referenceImageKey,
      quality: details.quality,
      aspectRatio: details.aspectRatio,
      outputFormat: details.outputFormat,
      outputCompression: details.outputCompression,
      prompt: details.prompt,
    }),
    providerPredictionId: context.providerPredictionId,
    providerModel: details.providerModel,
    promptVersion: details.promptVersion,
    outputBytes: context.downloadBytes,
    outputWidth: context.outputWidth,
    outputHeight: context.outputHeight,
    outputFormat: context.outputFormat,
    outputChecksum: context.outputChecksum,
  };
  const { computed, from, where } = OF_ORIGINAL;
  return imageReviewKind.rows.insert(image, entry.event.at, {
    given,
    computed,
    from,
    where: [where, onlyIf],
  });
}
