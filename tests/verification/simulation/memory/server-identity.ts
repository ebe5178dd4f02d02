import { PAUSE_SWITCH_ID } from '../../../../persistence/actors/rows/pause-switch-row.ts';
import type { ServerSight } from '../../../../persistence/database/server-identity.ts';
import { ORIGINAL, type Session } from './session.ts';
import { HEARTBEAT_ID } from './tables.ts';

/** The rules of `persistence/database/server-identity.ts`, held against them by the same suite. */
const SILENT_MS = 30_000;
const BEAT_MS = 5_000;

const beatOf = (session: Session): number => session.read('heartbeat', HEARTBEAT_ID)?.at ?? 0;
const isRecent = (at: number, { server }: Session): boolean => at > server.now() - SILENT_MS;

const isOriginal = ({ identity }: Session['server']): boolean => identity === ORIGINAL;

/** As `ON_TRUSTED_SERVER`. */
export function isOnTrustedServer(session: Session): boolean {
  const { mayForget, identity } = session.server;
  const gate = session.read('startGate', PAUSE_SWITCH_ID);
  if (!mayForget || (gate?.context.server === null && isOriginal(session.server))) return true;
  return gate?.context.server === identity && isRecent(beatOf(session), session);
}

/** As `LOOK_AT_SERVER`. */
export function lookAtServer(session: Session): ServerSight {
  const { mayForget, identity, now } = session.server;
  const at = now();
  if (!mayForget) return { server: identity, wasSilent: false, certainUntil: at };
  const { server = null, trustedAt = null } = session.read('startGate', PAUSE_SWITCH_ID)?.context ?? {};
  const beat = beatOf(session);
  const isHeard = isRecent(Math.max(beat, trustedAt ?? 0), session);
  const isFirst = server === null && isOriginal(session.server);
  const isOurs = isFirst || (server === identity && isHeard);
  const isDue = beat < at - BEAT_MS || beat > at;
  if (isOurs && isDue) session.write('heartbeat', HEARTBEAT_ID, { at });
  return {
    server: identity,
    wasSilent: !isFirst && (server === null || (server === identity && !isHeard)),
    certainUntil: isOurs && isDue ? at : Math.min(beat, at),
  };
}
