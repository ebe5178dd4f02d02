import { UNSENT_REJECTIONS } from '../../../session/studio-memory.ts';
import type { Rejection } from './rejections.ts';

type RejectionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps the rejections that were not answered, for a page after this one. */
export function keepRejections(storage: RejectionStorage, waiting: readonly Rejection[]): void {
  try {
    if (waiting.length === 0) storage.removeItem(UNSENT_REJECTIONS);
    else storage.setItem(UNSENT_REJECTIONS, JSON.stringify(waiting));
  } catch {
    // The storage is full or forbidden. They are sent all the same; only a later page cannot do it.
  }
}

/** What a page before has left. Nothing where the storage holds what another release, or no one, has written. */
export function unsentRejections(storage: RejectionStorage): readonly Rejection[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(UNSENT_REJECTIONS) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRejection) : [];
  } catch {
    return [];
  }
}

const isRejection = (value: Partial<Rejection> | null): value is Rejection =>
  typeof value?.imageId === 'string' && (value.reason === null || typeof value.reason === 'string');
