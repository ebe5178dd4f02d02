import { notFound } from '@tanstack/react-router';
import { failureOf } from '../../app/failures.ts';
import { propertyDetail } from '../../app/queries.ts';
import type { Site } from '../../app/site.ts';

/** Loads what a listing's page needs before it is shown. @throws notFound for a listing without a public page */
export async function loadListing({ api, queries }: Site, propertyId: string): Promise<void> {
  try {
    await queries.ensureQueryData(propertyDetail(api, { propertyId }));
  } catch (error) {
    const { httpStatus } = failureOf(error);
    if (httpStatus === 404 || httpStatus === 400) throw notFound();
    throw error;
  }
}
