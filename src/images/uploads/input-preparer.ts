import type { Pool } from 'pg';
import {
  adoptInputOfOriginal,
  dropLostReference,
  originalOfJob,
} from '../../../persistence/jobs/job-inputs.ts';
import type { InputPreparer, Reporter } from '../../../supervisors/ports.ts';
import { isOutage, publicErrorFrom } from '../../errors/outage.ts';
import type { Decoder } from '../decoding/decoder.ts';
import type { ImageServices } from '../services.ts';
import { ensureProviderInput } from './provider-input.ts';

/**
 * Makes the provider's copy of an original for a legacy job that has none. The upload is guarded like any other;
 * when it is done twice, the first copy stays.
 */
export function createInputPreparer(
  options: Pick<ImageServices, 'storage' | 'chance' | 'clock' | 'logger'> & {
    pool: Pool;
    decoder: Decoder;
    reporter: Reporter;
  },
): InputPreparer {
  const { pool, reporter } = options;
  return {
    async prepare({ id, details }) {
      const original = await originalOfJob(pool, details.originalImageId);
      if (original === null) return 'impossible';
      try {
        await ensureProviderInput(options, original, details.framing);
        return (await adoptInputOfOriginal(pool, id)) ? 'made' : 'later';
      } catch (error) {
        const later = isOutage(error) || publicErrorFrom(error)?.code === 'SERVICE_UNAVAILABLE';
        reporter.problem('the input of a job could not be made', error, { jobId: id });
        return later ? 'later' : 'impossible';
      }
    },
    dropLostReference: (held) => dropLostReference(pool, held),
  };
}
