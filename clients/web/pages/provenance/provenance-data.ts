import { notFound } from '@tanstack/react-router';
import type { Outputs } from '../../../typescript/procedures.ts';
import { failureOf } from '../../api/failures.ts';
import { provenance } from '../../api/queries.ts';
import type { Site } from '../../site/site.ts';

export type Provenance = Outputs['provenance']['get'];

/** Loads where a picture comes from. @throws notFound for a picture that was never approved */
export async function loadProvenance({ api, queries }: Site, stagedImageId: string): Promise<Provenance> {
  try {
    return await queries.ensureQueryData(provenance(api, { stagedImageId }));
  } catch (error) {
    const { httpStatus } = failureOf(error);
    if (httpStatus === 404 || httpStatus === 400) throw notFound();
    throw error;
  }
}
