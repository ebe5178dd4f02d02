import { randomUUID } from 'node:crypto';
import { beforeEach, describe } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../../persistence/actors/rows/pause-switch-row.ts';
import { actorStoreConformance } from '../../../support/database/conformance/actor-store-conformance.ts';
import { serverTrustConformance } from '../../../support/database/conformance/server-trust-conformance.ts';
import { MANUAL_EPOCH } from '../../../support/manual-time.ts';
import { createMemoryStore } from './memory-store.ts';
import { seedJob, seedOriginal, seedVariant } from './seeds.ts';
import { isOnTrustedServer, lookAtServer } from './server-identity.ts';
import { createServer, Session } from './session.ts';
import { emptyTables, HEARTBEAT_ID, journalOf, type Original } from './tables.ts';

actorStoreConformance('The in-memory database', async () => {
  const server = createServer({ now: () => MANUAL_EPOCH, newId: randomUUID });
  const store = createMemoryStore({ server, owner: 'test', hop: async () => {} });
  const originals = new Map<string, Original>();
  const original = () => {
    const row = seedOriginal(server, randomUUID());
    originals.set(row.id, row);
    return row;
  };
  return {
    store,
    async original() {
      const { id, objectKey, providerInputKey } = original();
      return { imageId: id, objectKey, providerInputKey };
    },
    async job({ originalImageId, canonicalStyle = 'MODERN', createdAt = MANUAL_EPOCH } = {}) {
      const found = originals.get(originalImageId ?? '') ?? original();
      return seedJob(server, { id: randomUUID(), original: found, canonicalStyle, createdAt });
    },
    async variant(originalImageId) {
      const found = originals.get(originalImageId);
      if (!found) throw new Error(`no original ${originalImageId}`);
      return seedVariant(server, randomUUID(), found);
    },
    journal: async (kind, id) =>
      journalOf(server.database, kind, id).map(({ seq, event, from, to, leaseEpoch }) => ({
        seq,
        eventType: event.type,
        fromState: from,
        toState: to,
        leaseEpoch,
      })),
    async deleteOriginal(imageId) {
      await store.transaction((tx) => tx.deleteImage(imageId));
    },
  };
});

describe('The in-memory database as a server that may be replaced', () => {
  const server = createServer({ now: () => MANUAL_EPOCH, newId: randomUUID });
  beforeEach(() => {
    server.database = { tables: emptyTables(), journal: [] };
  });
  const trustSince = (identity: string, agoMs: number) => {
    const { startGate } = server.database.tables;
    const gate = startGate.get(PAUSE_SWITCH_ID)!;
    const context = { ...gate.context, server: identity, trustedAt: MANUAL_EPOCH - agoMs };
    startGate.set(PAUSE_SWITCH_ID, { ...gate, context });
  };
  serverTrustConformance({
    beatWas: async (agoMs) =>
      server.database.tables.heartbeat.set(HEARTBEAT_ID, { at: MANUAL_EPOCH - agoMs }),
    trust: async (agoMs) => trustSince(server.identity, agoMs),
    async promoted(work) {
      const { identity } = server;
      server.identity = 'server 2';
      await work().finally(() => {
        server.identity = identity;
      });
    },
    trustAnother: async () => trustSince('another', 600_000),
    async look() {
      const session = new Session(server, 'test');
      const { wasSilent, certainUntil } = lookAtServer(session);
      session.commit();
      return { wasSilent, certainAgo: (MANUAL_EPOCH - certainUntil) / 1_000 };
    },
    mayBuy: async () => isOnTrustedServer(new Session(server, 'test')),
  });
});
