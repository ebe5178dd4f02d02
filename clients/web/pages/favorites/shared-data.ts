import { notFound } from '@tanstack/react-router';
import { failureOf } from '../../api/failures.ts';
import { sharedPages } from '../../api/queries.ts';
import type { Site } from '../../site/site.ts';

/** @throws notFound for an address that shows nothing, or no longer */
export async function loadShared({ api, queries }: Site, secret: string): Promise<void> {
  try {
    await queries.ensureInfiniteQueryData(sharedPages(api, secret));
  } catch (error) {
    const { httpStatus } = failureOf(error);
    if (httpStatus === 404 || httpStatus === 400) throw notFound();
    throw error;
  }
}
