import { randomUUID } from 'node:crypto';
import { actorStoreConformance } from '../../../support/database/actor-store-conformance.ts';
import { MANUAL_EPOCH } from '../../../support/manual-time.ts';
import { createMemoryStore } from './memory-store.ts';
import { seedJob, seedOriginal, seedVariant } from './seeds.ts';
import { createServer } from './session.ts';
import { journalOf, type Original } from './tables.ts';

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
