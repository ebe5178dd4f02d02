import { html } from 'hono/html';
import type { DemoJob } from './job.ts';

/** The status of a job, as both contact sheets mark it. */
export interface Standing {
  kind: 'public' | 'private' | 'rejected' | 'none';
  badge: string;
  /** A sentence for the reader. */
  note: string;
}

/** An agent's view: private and rejected pictures are shown, and marked. */
export function standingOf({ seen, review }: Pick<DemoJob, 'seen' | 'review'>): Standing {
  switch (review) {
    case 'APPROVED':
      return { kind: 'public', badge: 'APPROVED', note: 'Approved: shown to the public, with its label.' };
    case 'REJECTED':
      return {
        kind: 'rejected',
        badge: 'REJECTED',
        note: 'Rejected: removed from the platform, kept only here.',
      };
    case 'PENDING_REVIEW':
      return { kind: 'private', badge: 'PENDING REVIEW', note: 'Private until an agent approves it.' };
    default:
      return seen.status === 'CANCELED'
        ? { kind: 'none', badge: 'CANCELED', note: 'Canceled while it ran: no picture was kept.' }
        : { kind: 'none', badge: seen.status, note: `No picture: ${seen.errorCode ?? seen.status}.` };
  }
}

/** `TV_ROOM` as `TV room`. */
export function toText(name: string): string {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.startsWith('tv') ? `TV${words.slice(2)}` : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Text escaped for HTML and SVG, between tags and in quoted attributes. */
export const escapeMarkup = (text: string): string => String(html`${text}`);
