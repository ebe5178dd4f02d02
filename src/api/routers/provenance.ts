import { createTranslator } from '../../../i18n/translator.ts';
import { readProvenance } from '../../../persistence/images/provenance.ts';
import { found } from '../../errors/found.ts';
import { provenanceInput, provenanceOutput, toProvenance } from '../../wire/provenance.ts';
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
          signingAuthority: settings.signing?.authority ?? null,
          words: createTranslator(localeOf(ctx), 'user'),
        });
      }),
  });
}
