import { createTranslator } from '../../../i18n/translator.ts';
import { readProvenance } from '../../../persistence/images/provenance.ts';
import { readLog, readLoggedPlace } from '../../../persistence/images/provenance-log.ts';
import { found } from '../../errors/found.ts';
import { recordText } from '../../images/provenance/log.ts';
import { inclusionPath } from '../../images/provenance/merkle.ts';
import {
  LOG_PAGE,
  provenanceInput,
  provenanceLogInput,
  provenanceLogOutput,
  provenanceOutput,
  provenanceProofOutput,
  signersOf,
  toProvenance,
  toProvenanceLog,
} from '../../wire/provenance.ts';
import { viewOf } from '../../wire/text.ts';
import { publicProcedure, router } from '../base.ts';
import { localeOf } from '../caller-locale.ts';
import type { Services } from '../services.ts';

/** Where pictures come from. One that was never approved is answered like an unknown id. */
export function provenanceRouter({ pool, settings }: Pick<Services, 'pool' | 'settings'>) {
  return router({
    get: publicProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(provenanceInput)
      .output(provenanceOutput)
      .query(async ({ ctx, input: { stagedImageId } }) => {
        const record = found(await readProvenance(pool, stagedImageId));
        return toProvenance(record, {
          publicBaseUrl: settings.publicBaseUrl,
          signers: signersOf(settings),
          words: createTranslator(localeOf(settings.site, ctx), 'user'),
        });
      }),
    log: publicProcedure
      .input(provenanceLogInput)
      .output(provenanceLogOutput)
      .query(async ({ input: { before = null } }) =>
        toProvenanceLog(await readLog(pool, { before, limit: LOG_PAGE + 1 })),
      ),
    prove: publicProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(provenanceInput)
      .output(provenanceProofOutput)
      .query(async ({ input: { stagedImageId } }) => {
        const { record, place } = found(await readLoggedPlace(pool, stagedImageId));
        return viewOf(provenanceProofOutput, {
          record: recordText(record),
          proof: place && {
            entry: place.entry,
            position: place.position,
            path: inclusionPath(place.leaves, place.position).map((hash) => hash.toString('hex')),
          },
        });
      }),
  });
}
